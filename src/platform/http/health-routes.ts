/**
 * For process managers and load balancers: `/healthz` reports whether the process responds at all (if not, it is restarted),
 * `/readyz` whether it should get requests (if not, other servers get them).
 */
import { Hono } from "hono";

/** Milliseconds in which a part must report; a hanging part is not ready. */
const CHECK_MS = 2000;

/** A problem that the operator must fix while the server keeps working. */
export interface Lack {
  /** Replaces `ready`: `disk full`. */
  status: string;
  /** A sentence that says what to do. Readable by strangers. */
  reason: string;
}

/** Null: ready. */
type Reason = string | null;

export interface HealthOptions {
  /** Name → whether the part can work: a database is open, an index is loaded. A part that throws cannot. */
  parts: { [name: string]: () => boolean | Promise<boolean> };
  /** Name → what a part that is ready cannot do. The status stays 200: other servers could not do it either. */
  lacks?: { [name: string]: () => Lack | null };
  /** Whether the server is stopping. */
  isDraining: () => boolean;
  checkMs?: number;
  /** Milliseconds from any origin. */
  clock?: () => number;
}

/** Milliseconds for which an answer is kept: strangers may ask too, and a database check is work. */
const KEPT_MS = 1000;

const BROKEN = "It does not work. The server's log says why.";
const ENDING = "The server is stopping.";
const NO_STORE = { "Cache-Control": "no-store" };

export function healthRoutes({ parts, lacks = {}, isDraining, ...options }: HealthOptions): Hono {
  const { checkMs = CHECK_MS, clock = () => performance.now() } = options;
  let known: { states: Promise<{ [part: string]: Reason }>; until: number } | null = null;

  async function checkAll(): Promise<{ [part: string]: Reason }> {
    const entries = Object.entries(parts).map(
      async ([name, check]) => [name, await whyNotReady(check, checkMs)] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  }

  function askAgain() {
    const asked = { states: checkAll(), until: Number.POSITIVE_INFINITY };
    // Requests that arrive meanwhile get the same answer.
    void asked.states.then(() => (asked.until = clock() + KEPT_MS));
    return asked;
  }

  const app = new Hono();
  app.get("/healthz", (context) => context.json({ status: "alive" }, 200, NO_STORE));
  app.get("/readyz", async (context) => {
    if (!known || clock() >= known.until) known = askAgain();
    const states = { ...(await known.states), accepting: isDraining() ? ENDING : null };
    const lacking = Object.entries(lacks).flatMap(([name, read]) => {
      const lack = read();
      return lack ? [[name, lack] as const] : [];
    });
    const reasons = Object.fromEntries([
      ...lacking.map(([name, { reason }]) => [name, reason] as const),
      ...Object.entries(states).filter(([, reason]) => reason !== null),
    ]);
    const areAllReady = Object.values(states).every((reason) => reason === null);
    const body = {
      status: areAllReady ? (lacking[0]?.[1].status ?? "ready") : "not ready",
      parts: Object.fromEntries(Object.keys(states).map((name) => [name, !(name in reasons)])),
      ...(Object.keys(reasons).length > 0 && { reasons }),
    };
    return context.json(body, areAllReady ? 200 : 503, NO_STORE);
  });
  for (const path of ["/healthz", "/readyz"])
    app.all(path, (context) =>
      context.json({ message: `${path} accepts only GET and HEAD.` }, 405, { Allow: "GET, HEAD" }),
    );
  return app;
}

async function whyNotReady(check: () => boolean | Promise<boolean>, checkMs: number): Promise<Reason> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Reason>((resolve) => {
    timer = setTimeout(() => resolve(`It did not respond within ${checkMs / 1000} seconds.`), checkMs);
  });
  const asked = Promise.resolve()
    .then(check)
    .then(
      (isReady) => (isReady ? null : BROKEN),
      () => BROKEN,
    );
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
