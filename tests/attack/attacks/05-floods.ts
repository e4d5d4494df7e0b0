import { Agent } from "node:http";
import { type Attack, isWait, type Stage } from "../attack.ts";
import { inParallel, json, send, type Sent } from "../requests.ts";
import { ADMIN_KEY, type RunningServer } from "../server-process.ts";

/** The longest time for one flood. */
const FLOOD_MS = 60_000;

/** Requests of one flooding client, by route; each flood needs an end. */
function floods(share: number): [string, number, (at: number) => Sent][] {
  const event = { event: "x", distinct_id: "a", properties: {} };
  return [
    [
      "searches",
      8000 * share,
      (at) => json("/multi-search", { queries: [{ indexUid: "docs", q: `w${at}` }] }),
    ],
    ["pages with ?q=", 1500 * share, (at) => ({ path: `/docs?q=w${at}` })],
    ["unknown addresses", 3000 * share, (at) => ({ path: `/nothing/${at}` })],
    ["events", 5000 * share, () => json("/ingest/e/", event)],
    ["sign-ins", 100, (at) => json(`/auth/start/${String(1000 + at)}-2MXR-9KTD`, {})],
    [
      "admin keys",
      500,
      (at) => ({ path: "/search/indexes", headers: { authorization: `Bearer wrong-${at}` } }),
    ],
  ];
}

export const floodsOfOneClient: Attack = {
  item: 5,
  name: "floods of one client",
  bound:
    "One client is told to wait (429, Retry-After), every other one is answered; no header makes it another client.",
  async run(stage) {
    // A tenth of the usual limits in the short form, so that a tenth of the requests is enough.
    const server = await stage.server(stage.isShort ? { env: { RATE_LIMIT_FACTOR: "0.1" } } : {});
    for (const [at, [name, count, make]] of floods(stage.isShort ? 0.1 : 1).entries())
      await flood(stage, server, { at, name, count, make });
    await costOfMissingPages(stage, server);
  },
};

async function flood(
  stage: Stage,
  server: RunningServer,
  { at, name, count, make }: { at: number; name: string; count: number; make: (at: number) => Sent },
): Promise<void> {
  const from = stage.address(at);
  let sent = 0;
  let wait: string | undefined;
  // A forged header must not turn every request into a new client.
  const agent = new Agent({ keepAlive: true });
  const end = performance.now() + FLOOD_MS;
  const forged = (number: number) => ({ "x-forwarded-for": `198.51.${number >> 8}.${number & 255}` });
  await inParallel(count, 8, async (number) => {
    if (wait !== undefined || performance.now() > end) return;
    const request = make(number);
    const answer = await send(server.port, {
      ...request,
      from,
      agent,
      headers: { ...request.headers, ...forged(number) },
    });
    sent++;
    if (answer.status === 429) wait = answer.headers["retry-after"] ?? "";
  });
  agent.destroy();
  stage.check(wait !== undefined, `${sent} ${name} of one client were all answered`);
  if (wait !== undefined) stage.check(isWait(wait), `${name}: 429 with Retry-After "${wait}"`);
  stage.report(
    `${name} of one client`,
    wait === undefined ? `all ${sent} answered` : `429 after ${sent}, Retry-After ${wait}`,
  );
  const other = await send(server.port, { ...rightRequest(name, make), from: stage.address(1000 + at) });
  stage.check(other.status < 400, `${name}: beside the flood another client got ${other.status}`);
}

/** The request that an honest client would send there. */
function rightRequest(name: string, make: (at: number) => Sent): Sent {
  if (name === "sign-ins" || name === "unknown addresses") return { path: "/docs" };
  if (name === "admin keys")
    return { path: "/search/indexes", headers: { authorization: `Bearer ${ADMIN_KEY}` } };
  return make(0);
}

/** CPU time of the server for a missing page and for an existing one; the ratio is reported. */
async function costOfMissingPages(stage: Stage, server: RunningServer): Promise<void> {
  const count = stage.isShort ? 100 : 400;
  const cost = async (path: (at: number) => string, first: number) => {
    const { cpuMs } = await stage.measure(server, "the cost of a page", () =>
      inParallel(count, 4, (at) =>
        // Many clients, so that none has to wait.
        send(server.port, {
          path: path(at),
          from: stage.address(first + at),
          headers: { accept: "text/html" },
        }),
      ),
    );
    return cpuMs / count;
  };
  await cost((at) => `/docs/warm/${at}`, 2000);
  const missing = await cost((at) => `/docs/none/${at}`, 3000);
  const present = await cost(() => "/docs", 4000);
  const searched = await cost((at) => `/docs?q=cache+${at}`, 5000);
  const times = (cost: number) => `${(cost / Math.max(present, 0.01)).toFixed(1)} times a built page`;
  stage.report("CPU time of a missing page", times(missing));
  stage.report("CPU time of a page with ?q=", times(searched));
}
