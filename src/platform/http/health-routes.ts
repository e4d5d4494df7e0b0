/**
 * For process managers and load balancers: `/healthz` says whether the process answers at all (if not, it is
 * restarted), `/readyz` whether it should get requests (if not, others get them).
 */
import { Hono } from "hono";

/** Milliseconds in which a part must report; one that hangs is not ready. */
const CHECK_MS = 2000;

export interface HealthOptions {
  /** Name → whether the part can work: a database is open, an index is loaded. A part that throws cannot. */
  parts: { [name: string]: () => boolean | Promise<boolean> };
  /** Whether the server is stopping. */
  isDraining: () => boolean;
  checkMs?: number;
  /** Milliseconds from any origin. */
  clock?: () => number;
}

/** Milliseconds for which an answer is kept: strangers may ask too, and asking a database is work. */
const KEPT_MS = 1000;

const NO_STORE = { "Cache-Control": "no-store" };

export function healthRoutes({ parts, isDraining, ...options }: HealthOptions): Hono {
  const { checkMs = CHECK_MS, clock = () => performance.now() } = options;
  let known: { states: Promise<{ [part: string]: boolean }>; until: number } | null = null;

  async function checkAll(): Promise<{ [part: string]: boolean }> {
    const entries = Object.entries(parts).map(
      async ([name, check]) => [name, await isReady(check, checkMs)] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  }

  function askAgain() {
    const asked = { states: checkAll(), until: Number.POSITIVE_INFINITY };
    // Requests that come meanwhile get the same answer.
    void asked.states.then(() => (asked.until = clock() + KEPT_MS));
    return asked;
  }

  const app = new Hono();
  app.get("/healthz", (context) => context.json({ status: "alive" }, 200, NO_STORE));
  app.get("/readyz", async (context) => {
    if (!known || clock() >= known.until) known = askAgain();
    const states = { ...(await known.states), accepting: !isDraining() };
    const areAllReady = Object.values(states).every(Boolean);
    const status = areAllReady ? "ready" : "not ready";
    return context.json({ status, parts: states }, areAllReady ? 200 : 503, NO_STORE);
  });
  for (const path of ["/healthz", "/readyz"])
    app.all(path, (context) =>
      context.json({ message: `${path} answers GET and HEAD only.` }, 405, { Allow: "GET, HEAD" }),
    );
  return app;
}

async function isReady(check: () => boolean | Promise<boolean>, checkMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), checkMs);
  });
  try {
    return await Promise.race([Promise.resolve().then(check), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
