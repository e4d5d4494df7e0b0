/**
 * 1. With a token: no report without a session; a session begins with the right token, ends with sign-out, a restart and
 *    after twelve hours; its cookie is for the console only and for no script; a forged or changed one is none.
 * 2. Guessing is slow: ten attempts a minute from an address, a growing pause after wrong ones from anywhere.
 * 3. Without a token the console answers connections of this machine that name it, and no proxy's or foreign page's.
 * 4. What changes something must come from the console's own page as JSON.
 * 5. Every report answers its shape on an empty and on a filled store, as JSON and as CSV; formulas stay text.
 */
import { expect, test } from "vitest";
import { origin, startTelemetry } from "../test-telemetry.ts";
import { toCsv } from "./csv.ts";

const token = "a-token-of-the-operator";
const json = { "content-type": "application/json" };

function setUp() {
  const state = { now: Date.parse("2026-11-21T10:00:00Z") };
  const telemetry = startTelemetry({ consoleToken: token, clock: () => state.now });
  const signIn = (sent: string, from?: string) =>
    telemetry.request("/console/sign-in", {
      method: "POST",
      body: JSON.stringify({ token: sent }),
      headers: { ...json, "sec-fetch-site": "same-origin" },
      ...(from && { from }),
    });
  const read = (path: string, cookie = "") =>
    telemetry.request(`/console/api/${path}`, { headers: { cookie } });
  return { ...telemetry, state, signIn, read };
}

const cookieOf = (response: Response) => (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";

test("1. a session", async () => {
  const { signIn, read, state, request } = setUp();
  expect((await read("overview")).status).toBe(401);
  expect((await signIn("a-token-of-somebody-else")).status).toBe(401);
  const response = await signIn(token);
  expect(response.status).toBe(200);
  const header = response.headers.get("set-cookie") ?? "";
  for (const part of ["HttpOnly", "SameSite=Strict", "Secure", "Path=/console", "Max-Age=43200"])
    expect(header).toContain(part);
  expect(header).not.toContain(token);
  const cookie = cookieOf(response);
  expect((await read("overview", cookie)).status).toBe(200);
  const [name, value = ""] = cookie.split("=");
  const later = value.replace(/^\d+/, (expires) => String(Number(expires) + 1));
  for (const forged of [later, value.slice(0, -2), "", "9999999999999.x.y", `${value}.x`])
    expect((await read("overview", `${name}=${forged}`)).status).toBe(401);
  state.now += 12 * 3_600_000 + 1;
  expect((await read("overview", cookie)).status).toBe(401);
  const out = await request("/console/sign-out", { method: "POST", body: "{}", headers: json });
  expect(out.headers.get("set-cookie")).toContain("Max-Age=0");
  // Another start has another key.
  state.now -= 12 * 3_600_000 + 1;
  expect((await setUp().read("overview", cookie)).status).toBe(401);
});

test("2. guessing is slow", async () => {
  const { signIn, state } = setUp();
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 11; attempt++) {
    statuses.push((await signIn(attempt < 4 ? "wrong" : token, "198.51.100.1")).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 200, 200, 200, 200, 200, 200, 429]);
  for (let attempt = 0; attempt < 5; attempt++) await signIn("wrong", `198.51.100.${10 + attempt}`);
  const blocked = await signIn(token, "198.51.100.99");
  expect(blocked.status).toBe(429);
  expect(Number(blocked.headers.get("retry-after"))).toBeGreaterThan(0);
  state.now += 1001;
  expect((await signIn("wrong", "198.51.100.100")).status).toBe(401);
  state.now += 1001;
  expect((await signIn(token, "198.51.100.99")).status).toBe(429);
  state.now += 1000;
  expect((await signIn(token, "198.51.100.99")).status).toBe(200);
});

const places: [name: string, from: string, headers: Record<string, string>, status: number][] = [
  ["this machine", "127.0.0.1", { host: "localhost:3000" }, 200],
  ["this machine, by address", "::1", { host: "[::1]:3000" }, 200],
  ["mapped", "::ffff:127.0.0.1", { host: "127.0.0.1" }, 200],
  ["another machine", "192.0.2.1", { host: "localhost:3000" }, 403],
  ["a foreign name that resolves here", "127.0.0.1", { host: "evil.example:3000" }, 403],
  ["a proxy on this machine", "127.0.0.1", { host: "localhost", "x-forwarded-for": "192.0.2.1" }, 403],
  ["another proxy", "127.0.0.1", { host: "localhost", forwarded: "for=192.0.2.1" }, 403],
];

test("3. without a token", async () => {
  const { request } = startTelemetry();
  for (const [name, from, headers, status] of places)
    expect((await request("/console/api/overview", { from, headers })).status, name).toBe(status);
});

const pages: [name: string, headers: Record<string, string>, status: number][] = [
  ["its own page", { ...json, "sec-fetch-site": "same-origin", origin }, 400],
  ["a foreign page", { ...json, "sec-fetch-site": "cross-site", origin: "https://evil.example" }, 403],
  ["a sibling", { ...json, "sec-fetch-site": "same-site" }, 403],
  ["a foreign page in an old browser", { ...json, origin: "https://evil.example" }, 403],
  ["a form", { "content-type": "text/plain", "sec-fetch-site": "same-origin" }, 403],
];

test("4. changes come from the console's own page", async () => {
  const { request, signIn } = setUp();
  const cookie = cookieOf(await signIn(token));
  const post = (path: string, body: string, headers: Record<string, string>) =>
    request(path, { method: "POST", body, headers });
  for (const [name, headers, status] of pages) {
    const response = await post("/console/api/searches/actions", "{}", { ...headers, cookie });
    expect(response.status, name).toBe(status);
    if (status !== 403) continue;
    expect((await post("/console/sign-in", JSON.stringify({ token }), headers)).status, name).toBe(403);
  }
});

const lists = [
  "searches",
  "searches?kind=no-hits",
  "searches?kind=no-clicks",
  "pages",
  "errors",
  "recordings",
  "surveys",
  "flags",
];

test("5. empty", async () => {
  const { signIn, read } = setUp();
  const cookie = cookieOf(await signIn(token));
  for (const path of lists) expect(await (await read(path, cookie)).json()).toEqual([]);
  expect(await (await read("overview", cookie)).json()).toMatchObject({ views: 0, series: { length: 8 } });
  expect(await (await read("health", cookie)).json()).toMatchObject({
    queued: 0,
    dropped: 0,
    forwarding: [],
  });
  expect((await read("errors/nothing", cookie)).status).toBe(404);
  expect((await read("recordings/nothing", cookie)).status).toBe(404);
  expect((await read("nothing", cookie)).status).toBe(404);
  for (const wrong of [
    "overview?from=x",
    "pages?from=5&to=4",
    "searches?kind=all",
    "pages?from=0&to=9999999999999",
  ])
    expect((await read(wrong, cookie)).status).toBe(400);
});

test("5. filled", async () => {
  const { signIn, read, store, state } = setUp();
  const at = state.now - 1000;
  const base = {
    source: "posthog" as const,
    distinctId: "a-reader-of-the-site",
    sessionId: "s1",
    windowId: null,
    path: "/docs",
  };
  const event = (uuid: string, name: string, properties: object) => ({
    ...base,
    uuid,
    at,
    name,
    properties: JSON.stringify(properties),
  });
  store.write({
    views: [
      { at, path: "/docs", referrer: "example.org", browser: "Chrome" },
      { at, path: "/docs", referrer: null, browser: "bot" },
    ],
    searches: [
      { at, query: "turbo", hits: 4 },
      { at: at + 1, query: "Turbo", hits: 5 },
      { at, query: "=nothing", hits: 0 },
      { at, query: "unclicked", hits: 3 },
    ],
    events: [
      event("e1", "search", { query: "turbo" }),
      event("e2", "search_click", { query: "turbo", position: 3 }),
      event("e3", "search_click", { query: "Turbo", position: 1 }),
      event("e4", "search", { query: "unclicked" }),
    ],
  });
  await store.flush();
  const cookie = cookieOf(await signIn(token));
  const rows = async (path: string) => (await (await read(path, cookie)).json()) as object[];
  expect(await rows("searches")).toMatchObject([
    {
      query: "Turbo",
      count: 2,
      withoutHits: 0,
      hits: 5,
      measured: 1,
      clicks: 2,
      meanPosition: 2,
      lastAt: at + 1,
    },
    { count: 1 },
    { count: 1 },
  ]);
  expect(await rows("searches?kind=no-hits")).toMatchObject([{ query: "=nothing", withoutHits: 1 }]);
  expect(await rows("searches?kind=no-clicks")).toMatchObject([
    { query: "unclicked", measured: 1, clicks: 0 },
  ]);
  expect(await rows("pages")).toMatchObject([{ path: "/docs", views: 1, exitsToSearch: 2 }]);
  expect(await (await read("overview", cookie)).json()).toMatchObject({
    views: 1,
    searches: 4,
    searchesWithoutHits: 1,
    visitors: 1,
    searchClicks: 2,
    referrers: [{ host: "example.org", count: 1 }],
    browsers: [
      { name: "Chrome", count: 1 },
      { name: "bot", count: 1 },
    ],
  });
  const csv = await read("searches?kind=no-hits&format=csv", cookie);
  expect(csv.headers.get("content-type")).toContain("text/csv");
  expect((await csv.text()).split("\r\n")[1]).toMatch(/^'=nothing,1,1,0,/);
});

test("5. CSV", () => {
  const rows = [{ a: '=HYPERLINK("x")', b: "two\nlines, and more", c: null, d: [1, "x"], e: -1 }];
  expect(toCsv(rows, ["a", "b", "c", "d", "e"])).toBe(
    'a,b,c,d,e\r\n"\'=HYPERLINK(""x"")","two\nlines, and more",,"[1,""x""]",-1\r\n',
  );
  for (const start of ["+1", "-1", "@x", "\tx"]) expect(toCsv([{ a: start }], ["a"])).toContain(`'${start}`);
});
