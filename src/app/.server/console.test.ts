/**
 * 1. Only an operator can read or change anything; changes must come from the console's own page as JSON.
 * 2. Every report has its shape on an empty and on a filled store, as JSON and as CSV; formulas stay text. Words that were
 *    searched less than three times appear in no report.
 */
import { expect, test } from "vitest";
import { origin } from "#telemetry/testing/telemetry.ts";
import { dayOf, startOfDay } from "#telemetry/index.ts";
import { toCsv } from "#platform/text/csv.ts";
import { json, startConsole as setUp } from "../testing/console.ts";

const pages: [name: string, headers: Record<string, string>, status: number][] = [
  ["its own page", { ...json, "sec-fetch-site": "same-origin", origin }, 400],
  ["a foreign page", { ...json, "sec-fetch-site": "cross-site", origin: "https://evil.example" }, 403],
  ["a sibling", { ...json, "sec-fetch-site": "same-site" }, 403],
  ["a foreign page in an old browser", { ...json, origin: "https://evil.example" }, 403],
  ["a form", { "content-type": "text/plain", "sec-fetch-site": "same-origin" }, 403],
];

test("1. changes come from the console's own page", async () => {
  const { change } = setUp();
  for (const [name, headers, status] of pages)
    expect((await change("searches/actions", "{}", headers)).status, name).toBe(status);
});

test("1. only operators read and change", async () => {
  const { read, change } = setUp();
  for (const path of [...lists, "overview", "health", "nothing"]) {
    const answer = await read(path, "somebody");
    expect([answer.status, await answer.json()], path).toEqual([
      401,
      { code: "unauthenticated", message: "no token" },
    ]);
  }
  expect((await change("searches/actions", "{}", { ...json, cookie: "" })).status).toBe(401);
});

const lists = [
  "searches",
  "searches?kind=no-hits",
  "searches?kind=no-clicks",
  "pages",
  "missing",
  "errors",
  "recordings",
  "surveys",
  "flags",
];

test("2. empty", async () => {
  const { read } = setUp();
  for (const path of lists) expect(await (await read(path)).json()).toEqual([]);
  expect(await (await read("overview")).json()).toMatchObject({ views: 0, series: { length: 8 } });
  expect(await (await read("health")).json()).toMatchObject({
    queued: 0,
    dropped: 0,
    forwarding: [],
  });
  expect((await read("errors/nothing")).status).toBe(404);
  expect((await read("recordings/nothing")).status).toBe(404);
  expect((await read("nothing")).status).toBe(404);
  for (const wrong of [
    "overview?from=x",
    "pages?from=5&to=4",
    "searches?kind=all",
    "pages?from=0&to=9999999999999",
  ])
    expect((await read(wrong)).status).toBe(400);
});

test("2. filled", async () => {
  const { read, store, state } = setUp();
  const at = state.now - 1000;
  const day = dayOf(at);
  const times = <Row>(count: number, row: Row) => Array.from({ length: count }, () => row);
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
      { day, path: "/docs", referrer: "example.org", browser: "Chrome" },
      { day, path: "/docs", referrer: null, browser: "bot" },
    ],
    searches: [
      ...times(4, { day, words: "turbo", isFound: true }),
      ...times(3, { day, words: "=nothing", isFound: false }),
      ...times(3, { day, words: "unclicked", isFound: true }),
      ...times(2, { day, words: "rare", isFound: false }),
      ...times(5, { day, words: "", isFound: false }),
    ],
    events: [
      event("e1", "search", { query: "turbo" }),
      event("e2", "search_click", { query: "turbo", position: 3 }),
      event("e3", "search_click", { query: "Turbo", position: 1 }),
      event("e4", "search", { query: "unclicked" }),
    ],
  });
  await store.flush();
  const rows = async (path: string) => (await (await read(path)).json()) as object[];
  expect(await rows("searches")).toEqual([
    {
      query: "turbo",
      count: 4,
      withoutHits: 0,
      measured: 1,
      clicks: 2,
      meanPosition: 2,
      lastDay: startOfDay(day),
    },
    expect.objectContaining({ query: "=nothing", count: 3 }),
    expect.objectContaining({ query: "unclicked", count: 3 }),
  ]);
  expect(await rows("searches?kind=no-hits")).toMatchObject([{ query: "=nothing", withoutHits: 3 }]);
  expect(await rows("searches?kind=no-clicks")).toMatchObject([
    { query: "unclicked", measured: 1, clicks: 0 },
  ]);
  expect(await rows("pages")).toMatchObject([{ path: "/docs", views: 1, exitsToSearch: 2 }]);
  expect(await (await read("overview")).json()).toMatchObject({
    views: 1,
    searches: 17,
    searchesWithoutHits: 10,
    days: expect.arrayContaining([{ at: startOfDay(day), views: 1, searches: 17 }]),
    visitors: 1,
    searchClicks: 2,
    referrers: [{ host: "example.org", count: 1 }],
    browsers: [
      { name: "Chrome", count: 1 },
      { name: "bot", count: 1 },
    ],
  });
  const csv = await read("searches?kind=no-hits&format=csv");
  expect(csv.headers.get("content-type")).toContain("text/csv");
  expect((await csv.text()).split("\r\n")[1]).toMatch(/^'=nothing,3,3,0,/);
  // No one may read words searched less than three times, in any list or form.
  for (const kind of ["top", "no-hits", "no-clicks"])
    for (const format of ["json", "csv"])
      expect(await (await read(`searches?kind=${kind}&format=${format}`)).text()).not.toContain("rare");
});

test("2. CSV", () => {
  const rows = [{ a: '=HYPERLINK("x")', b: "two\nlines, and more", c: null, d: [1, "x"], e: -1 }];
  expect(toCsv(rows, ["a", "b", "c", "d", "e"])).toBe(
    'a,b,c,d,e\r\n"\'=HYPERLINK(""x"")","two\nlines, and more",,"[1,""x""]",-1\r\n',
  );
  for (const start of ["+1", "-1", "@x", "\tx"]) expect(toCsv([{ a: start }], ["a"])).toContain(`'${start}`);
});
