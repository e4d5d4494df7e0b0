/**
 * 1. A missing page is counted by its address, whichever form of it was requested, with its referrer: a path of this site or
 *    another site's host, never more of their address. 2. Existing pages, assets, other answers and the application's
 *    addresses are not counted. 3. An address that cannot be a page's, that could identify the reader, or that bots request
 *    has no name.
 * 4. One sender names twenty addresses a day, the same ones as often as it likes. 5. In the store a day has 500 names; the
 *    rest is counted without a name. The report has addresses that were requested three times, or to which a page of this
 *    site leads.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { DAY_MS, dayOf, startOfDay } from "../contract/days.ts";
import { readMissing } from "../queries/missing.ts";
import { countsOf, createDayCounter, MAX_MISSING_NAMES } from "../store/day-counts.ts";
import { openDatabase } from "../store/open-database.ts";
import type { MissingRow } from "../contract/types.ts";
import { createMissingCounter } from "./count-missing.ts";
import { createNameShare } from "./name-share.ts";

const NOW = Date.parse("2026-11-21T10:00:00Z");
const host = "docs.example.com";

function setUp() {
  const rows: MissingRow[] = [];
  const state = { now: NOW };
  const mayName = createNameShare({ perAddress: 20, perDay: MAX_MISSING_NAMES, clock: () => state.now });
  const missingOf = createMissingCounter({
    mayName: (context, name) => mayName(context.req.header("x-sender") ?? "", name),
    ownHost: host,
  });
  const app = new Hono();
  app.use(async (context, next) => {
    await next();
    const row = missingOf(context, state.now);
    if (row) rows.push(row);
  });
  app.get("/docs/there", (context) => context.html("", 200));
  app.get("/api/*", (context) => context.json({}, 404));
  app.get("/*", (context) => {
    if (context.req.path.endsWith(".data")) return context.body("", 404, { "Content-Type": "text/x-script" });
    return context.html("", 404);
  });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    rows.length = 0;
    await app.request(`https://${host}${path}`, {
      headers: { host, "user-agent": "Chrome/156.0", ...headers },
    });
    return rows.map((row) => [row.path, row.from]);
  };
  return { get, state };
}

test.each([
  ["/docs/cache/keys?q=me@example.com", {}, "/docs/cache/keys", ""],
  ["/docs/cache/keys/", {}, "/docs/cache/keys", ""],
  [
    "/docs/cache/keys.data",
    { referer: `https://${host}/docs/faq?q=secret#x` },
    "/docs/cache/keys",
    "/docs/faq",
  ],
  [
    "/docs/cache/keys.md",
    { referer: "https://github.com/acme/private?token=x" },
    "/docs/cache/keys",
    "github.com",
  ],
  ["/docs/v1.2", { referer: "nonsense" }, "/docs/v1.2", ""],
  ["/docs/x", { referer: "http://192.0.2.7:8080/" }, "/docs/x", ""],
  ["/docs/x", { referer: `https://${host}/docs/alice@example.com` }, "/docs/x", "/"],
])("1. %s", async (path, headers, address, from) => {
  expect(await setUp().get(path, headers)).toEqual([[address, from]]);
});

test.each(["/docs/there", "/api/nothing", "/console/nothing", "/app/acme"])("2. %s", async (path) => {
  expect(await setUp().get(path)).toEqual([]);
});

test.each([
  "/wp-login",
  "/wp-content/plugins/x",
  "/.env",
  "/.git/config",
  "/index.php",
  "/assets/app.js",
  "/backup.zip",
  "/docs/a//b",
  "/docs/%3Cscript%3E",
  `/${"x".repeat(300)}`,
  "/a/b/c/d/e/f/g/h/i",
  "/docs/alice@example.com",
  "/docs/ghp_16C7e42F292c6912E7710c838347Ae178B4a",
  "/docs/4111111111111111",
])("3. %s has no name", async (path) => {
  const headers = { referer: "https://github.com/" };
  expect(await setUp().get(path, headers)).toEqual([["", ""]]);
});

test("3. bots name nothing", async () => {
  expect(await setUp().get("/docs/old", { "user-agent": "Googlebot/2.1" })).toEqual([["", ""]]);
});

test("4. a sender's share", async () => {
  const { get, state } = setUp();
  for (let at = 0; at < 20; at++) expect(await get(`/docs/page-${at}`)).toEqual([[`/docs/page-${at}`, ""]]);
  expect(await get("/docs/one-more")).toEqual([["", ""]]);
  expect(await get("/docs/page-7")).toEqual([["/docs/page-7", ""]]);
  expect(await get("/docs/one-more", { "x-sender": "another" })).toEqual([["/docs/one-more", ""]]);
  state.now += DAY_MS;
  expect(await get("/docs/one-more")).toEqual([["/docs/one-more", ""]]);
});

test("5. stored and reported", () => {
  const { db } = openDatabase(join(mkdtempSync(join(tmpdir(), "missing-")), "telemetry.sqlite"));
  const day = dayOf(NOW);
  const write = (rows: MissingRow[]) => createDayCounter(db)(countsOf([], [], rows));
  const times = (count: number, path: string, from = "") =>
    Array.from({ length: count }, () => ({ day, path, from }));
  write([
    ...times(3, "/docs/old", "github.com"),
    ...times(2, "/docs/old", "/docs/faq"),
    ...times(4, "/docs/older"),
  ]);
  write([
    ...times(2, "/docs/typed"),
    ...times(2, "/docs/rare", "example.org"),
    ...times(1, "/docs/broken", "/docs"),
  ]);
  write([...times(9, ""), { day: day - 30, path: "/docs/older", from: "" }]);
  const range = { from: NOW - 7 * DAY_MS, to: NOW };
  const lastDay = startOfDay(day);
  expect(readMissing(db, range)).toEqual([
    {
      path: "/docs/old",
      count: 5,
      lastDay,
      from: [
        { name: "github.com", count: 3 },
        { name: "/docs/faq", count: 2 },
      ],
    },
    { path: "/docs/older", count: 4, lastDay, from: [] },
    { path: "/docs/broken", count: 1, lastDay, from: [{ name: "/docs", count: 1 }] },
    { path: "", count: 9, lastDay, from: [] },
  ]);
  write(Array.from({ length: 700 }, (_, at) => ({ day, path: `/flood/${at}`, from: "" })));
  const names = db
    .prepare("SELECT count(*) AS count FROM counts WHERE kind = 'missing' AND day = ?")
    .get(day);
  expect(names).toEqual({ count: MAX_MISSING_NAMES });
  const all = db
    .prepare("SELECT sum(count) AS count FROM counts WHERE kind = 'missing' AND day = ?")
    .get(day);
  expect(all).toEqual({ count: 23 + 700 });
});
