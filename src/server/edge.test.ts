/**
 * 1. Searches and rendered pages have separate limits for each client; beyond them the answer is 429 with a
 *    correct `Retry-After`, in the protocol's form on search addresses, however the address is spelled. Built
 *    files have no limit. Steps of a sign-in also have one; the API, events and the console limit their calls themselves.
 * 2. The factor multiplies the limits, and 0 removes them.
 * 3. Behind a trusted proxy clients are told apart; an untrusted proxy is reported once, with the setting to change.
 * 4. A known caller has its own limit, separate from its address's, and the same from every address. A valid search key has a
 *    limit for when its address's is used up.
 * 5. While the server is stopping, its health is red; while too many answers wait for slow readers, no further answer is made.
 * 6. A request beyond a limit takes no turn and delays no one; a request within takes one turn, of its cost: strangers in the
 *    lane of their network, or in a separate account when they sign in. The same holds for a part that takes its turns itself.
 */
import { Hono } from "hono";
import { expect, test } from "vitest";
import type { ConnectionGuard } from "#platform/http/connections/connections.ts";
import { createApp } from "./app.ts";
import { COSTS, REFUSED, SIGN_IN, STRANGERS } from "#platform/fair/limits.ts";
import { takeOfferedTurn } from "#platform/fair/offered-turns.ts";
import { createEdge, type EdgeOptions } from "./edge.ts";
import { CALL_RATE, PAGE_RATE, SEARCH_RATE } from "#platform/http/limits/request-rates.ts";
import { houseOf, type TestParts } from "./testing/house.ts";

const STRANGER = { caller: null, holder: STRANGERS };
const file = { type: "text/css", etag: '"1"', cacheControl: "public", identity: Buffer.from("a{}") };

function start(options: EdgeOptions = {}, telemetryApp = new Hono()) {
  let now = 1_000_000;
  let searched = 0;
  let rendered = 0;
  const logged: string[] = [];
  const searchApp = new Hono();
  searchApp.get("/health", (context) => context.json({ status: "available" }));
  for (const path of ["/multi-search", "/indexes/:uid/search", "/indexes/:uid/facet-search"])
    searchApp.all(path, (context) => {
      searched += 1;
      return context.json({ hits: [] });
    });
  const runtime: TestParts = {
    origin: "http://localhost",
    files: new Map([["/a.css", file]]),
    pathFor: (path) => path,
    searchRoutes: { admin: searchApp, public: searchApp },
    telemetry: { app: telemetryApp },
    render: () => {
      rendered += 1;
      return Promise.resolve(new Response("none", { status: 404 }));
    },
  };
  const log = (line: string) => void logged.push(line);
  const app = createApp(houseOf(runtime), createEdge({ clock: () => now, log, ...options }));
  const ask = (
    path: string,
    from = "203.0.113.1",
    headers: { [name: string]: string } = {},
    method = "GET",
  ) =>
    app.request(
      `http://localhost${path}`,
      { method, headers },
      { incoming: { socket: { remoteAddress: from } } },
    );
  const counts = () => ({ searched, rendered });
  return { ask, counts, logged, wait: (seconds: number) => void (now += seconds * 1000) };
}

const searches = ["/multi-search", "/indexes/docs/search?q=a", "/indexes/x/facet-search", "/%6Dulti-search"];

test("1. searches", async () => {
  const { ask, counts, wait } = start();
  for (let at = 0; at < SEARCH_RATE.burst; at += 1)
    expect((await ask(searches[at % searches.length]!, undefined, {}, "POST")).status).toBe(200);
  for (const path of searches) {
    const refused = await ask(path, undefined, {}, "POST");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await refused.json()).toEqual({
      message: "Too many searches from this address. Try again in a second.",
      code: "too_many_requests",
      type: "system",
      link: "https://docs.meilisearch.com/errors#too_many_requests",
    });
  }
  expect(counts().searched).toBe(SEARCH_RATE.burst);
  expect((await ask("/multi-search", "203.0.113.2", {}, "POST")).status).toBe(200);
  expect((await ask("/nowhere")).status).toBe(404);
  wait(1);
  expect((await ask("/multi-search", undefined, {}, "POST")).status).toBe(200);
});

test("1. pages and files", async () => {
  const { ask, counts } = start();
  for (let at = 0; at < PAGE_RATE.burst; at += 1)
    expect((await ask(at % 2 ? "/docs?q=a" : "/nowhere")).status).toBe(404);
  const refused = await ask("/docs?q=a");
  expect([refused.status, refused.headers.get("retry-after"), refused.headers.get("cache-control")]).toEqual([
    429,
    "1",
    "no-store",
  ]);
  expect(await refused.text()).toMatch(/Try again in a second/);
  expect(counts().rendered).toBe(PAGE_RATE.burst);
  for (let at = 0; at < 2 * SEARCH_RATE.burst; at += 1) expect((await ask("/a.css")).status).toBe(200);
  expect((await ask("/health")).status).toBe(200);
});

test("1. steps of a sign-in", async () => {
  const { ask } = start({ rateLimitFactor: 1 / CALL_RATE.burst });
  expect((await ask("/auth/state")).status).toBe(404);
  const refused = await ask("/auth/state");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  expect(await refused.json()).toMatchObject({ code: "resource_exhausted" });
  expect((await ask("/auth/state", "203.0.113.2")).status).toBe(404);
});

test("2. the factor", async () => {
  const none = start({ rateLimitFactor: 0 });
  for (let at = 0; at < 2 * PAGE_RATE.burst; at += 1) expect((await none.ask("/x")).status).toBe(404);
  const tenth = start({ rateLimitFactor: 0.1 });
  const statuses: number[] = [];
  for (let at = 0; at < PAGE_RATE.burst; at += 1) statuses.push((await tenth.ask("/x")).status);
  expect(statuses.filter((status) => status === 404)).toHaveLength(PAGE_RATE.burst / 10);
});

test("3. proxies", async () => {
  const trusting = start({ rateLimitFactor: 1 / PAGE_RATE.burst, trustedProxies: ["127.0.0.1"] });
  const from = (client: string) => trusting.ask("/x", "127.0.0.1", { "x-forwarded-for": client });
  expect((await from("203.0.113.1")).status).toBe(404);
  expect((await from("203.0.113.2")).status).toBe(404);
  expect((await from("203.0.113.1")).status).toBe(429);
  // The client's own entry is not trusted.
  expect((await from("198.51.100.9, 203.0.113.1")).status).toBe(429);
  expect(trusting.logged).toEqual([]);

  const { ask, logged } = start({ rateLimitFactor: 1 / PAGE_RATE.burst });
  expect((await ask("/x", "127.0.0.1", { "x-forwarded-for": "203.0.113.1" })).status).toBe(404);
  expect((await ask("/x", "127.0.0.1", { "x-forwarded-for": "203.0.113.2" })).status).toBe(429);
  expect(logged).toEqual([expect.stringContaining("set TRUSTED_PROXIES=127.0.0.1.")]);
  const stranger = start();
  await stranger.ask("/x", "198.51.100.1", { "x-forwarded-for": "203.0.113.1" });
  expect(stranger.logged).toEqual([]);
});

test("4. who is known", async () => {
  const calls: (string | null)[] = [];
  const { ask } = start({
    rateLimitFactor: 1 / PAGE_RATE.burst,
    callers: {
      recognize(headers) {
        const caller = headers.get("authorization");
        return Promise.resolve({ caller, holder: caller ?? "strangers" });
      },
      takeCall: (caller) => (calls.push(caller), 0),
    },
    searchKeyOf: ({ req }) => req.header("x-key") ?? null,
  });
  const ada = { authorization: "ada" };
  const statuses = async (...asked: Parameters<typeof ask>[]) => {
    const found: number[] = [];
    for (const each of asked) found.push((await ask(...each)).status);
    return found;
  };
  const [here, there] = ["203.0.113.1", "2001:db8::1"];
  expect(await statuses(["/x", here], ["/x", here])).toEqual([404, 429]);
  expect(await statuses(["/x", here, ada], ["/x", here, ada], ["/x", there, ada])).toEqual([404, 429, 429]);
  expect(await statuses(["/x", there], ["/x", here, { authorization: "grace" }])).toEqual([404, 404]);
  await statuses(["/auth/state", here, ada], ["/auth/state", here]);
  expect(calls).toEqual(["ada", null]);

  const searches = SEARCH_RATE.burst / PAGE_RATE.burst;
  const search = (...more: [] | [Record<string, string>]) =>
    statuses(
      ...Array.from({ length: searches + 1 }, (): Parameters<typeof ask> => ["/multi-search", here, ...more]),
    );
  expect(await search()).toEqual([...Array.from({ length: searches }, () => 200), 429]);
  expect(await search({ "x-key": "a" })).toEqual([...Array.from({ length: searches }, () => 200), 429]);
});

test("5. stopping, and no room", async () => {
  const guard = { isDraining: false, rooms: [true] };
  const connections: ConnectionGuard = {
    admit: () => true,
    admitOther: () => true,
    admitUpload: () => null,
    secure: () => {},
    begin: () => {},
    requests: 0,
    hasRoomFor: () => guard.rooms.shift() ?? true,
    sweep: () => {},
    drain: () => {},
    get isDraining() {
      return guard.isDraining;
    },
    size: 0,
    unsentBytes: 0,
  };
  const { ask, counts } = start({ connections });
  expect(await (await ask("/health")).json()).toEqual({ status: "available" });
  guard.isDraining = true;
  const health = await ask("/health");
  expect([health.status, await health.json()]).toEqual([503, { status: "unavailable" }]);
  guard.rooms = [false];
  const before = await ask("/multi-search");
  expect([before.status, before.headers.get("retry-after"), counts().searched]).toEqual([503, "5", 0]);
  guard.rooms = [true, false];
  const after = await ask("/multi-search");
  expect([after.status, await after.json()]).toMatchObject([503, { code: "too_many_search_requests" }]);
  guard.rooms = [true, false];
  expect((await ask("/docs?q=a")).headers.get("content-type")).toBe("text/plain; charset=UTF-8");
  expect(counts().searched).toBe(1);
  guard.rooms = [false, false];
  expect((await ask("/a.css")).status).toBe(200);
});

/** Records its calls. */
function openGate() {
  const turns: [holder: string, cost?: number, lane?: string][] = [];
  const gate: EdgeOptions["gate"] = {
    enter: (holder, { cost, lane } = {}) => void turns.push([holder, cost!, lane!]),
    charge: (holder, cost) => void turns.push([holder, cost]),
  };
  return { turns, gate };
}

test("6. turns", async () => {
  const { turns, gate } = openGate();
  const callers: EdgeOptions["callers"] = {
    recognize: (headers) =>
      Promise.resolve(headers.has("x-ada") ? { caller: "ada", holder: "acme" } : STRANGER),
    takeCall: () => 0,
  };
  const { ask } = start({ gate, callers, rateLimitFactor: 1 / PAGE_RATE.burst });
  const taken = async (...asked: Parameters<typeof ask>) => {
    turns.length = 0;
    const { status } = await ask(...asked);
    return [status, ...turns];
  };
  const [here, lane] = ["203.0.113.1", "203.0.113.0/24"];
  expect(await taken("/x", here)).toEqual([404, [STRANGERS, COSTS.renderedPage, lane]]);
  expect(await taken("/x", here)).toEqual([429, [REFUSED, COSTS.file]]);
  expect(await taken("/x", here, { "x-ada": "1" })).toEqual([404, ["acme", COSTS.renderedPage, ""]]);
  expect(await taken("/a.css", here)).toEqual([200, [STRANGERS, COSTS.file, lane]]);
  expect(await taken("/x/", here)).toEqual([308, [STRANGERS, COSTS.file, lane]]);
  const there = "2001:db8:1:2::3";
  expect(await taken("/multi-search", there)).toEqual([200, [STRANGERS, COSTS.search, "2001:db8:1::/48"]]);
  expect((await taken("/search/indexes", there))[1]).toEqual([STRANGERS, COSTS.file, "2001:db8:1::/48"]);
  // Health requests never wait.
  for (const path of ["/health", "/search/health", "/healthz", "/readyz", "/metrics"])
    expect((await taken(path, there)).slice(1)).toEqual([[REFUSED, COSTS.file]]);
  for (const path of ["/search/indexes/health", "/search/health/x"])
    expect((await taken(path, there))[1]).toEqual([STRANGERS, COSTS.file, "2001:db8:1::/48"]);
  for (const path of ["/auth/state", "/oauth/device_authorization", "/%61uth/state"])
    expect(await taken(path, here)).toEqual([404, [SIGN_IN, COSTS.call, lane]]);
  for (const path of ["/app/sign-in", "/device"])
    expect((await taken(path, here))[1]).toEqual([SIGN_IN, COSTS.file, lane]);
});

test("6. turns of a part that takes them itself", async () => {
  const { turns, gate } = openGate();
  const telemetry = new Hono();
  telemetry.post("/feedback", async ({ req, body }) => {
    if (req.header("x-beyond") !== undefined) return body(null, 429);
    return (await takeOfferedTurn(req.raw)) ?? body(null, 204);
  });
  const { ask } = start({ gate }, telemetry);
  const taken = async (headers: Record<string, string>) => {
    turns.length = 0;
    const { status } = await ask("/feedback", undefined, headers, "POST");
    return [status, ...turns];
  };
  expect(await taken({})).toEqual([204, [STRANGERS, COSTS.file, "203.0.113.0/24"]]);
  expect(await taken({ "x-beyond": "1" })).toEqual([429, [REFUSED, COSTS.file]]);
});
