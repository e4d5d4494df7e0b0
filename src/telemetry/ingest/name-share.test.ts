/**
 * 1. An address may add a number of new names in a burst and as many again in a day; its networks twice as many. Others still
 *    have theirs, and anyone may use an existing name. A new day has room again, and so has a day after the clock was set
 *    back.
 * 2. A sender that searches for thousands of made-up words, or comes from thousands of made-up sites, leaves room for others.
 */
import { Hono } from "hono";
import { expect, test } from "vitest";
import { MAX_NAMES } from "../store/day-counts.ts";
import { openDatabase } from "../store/open-database.ts";
import { requestTo, startTelemetry } from "../testing/telemetry.ts";
import { createNameShare } from "./name-share.ts";

const DAY_MS = 86_400_000;
const hex = (number: number) => number.toString(16);

test("1. names", () => {
  let now = 20_780 * DAY_MS;
  const mayName = createNameShare({ perAddress: 10, perDay: 500, clock: () => now });
  let made = 0;
  const bringIn = (count: number, addressOf: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => mayName(addressOf(at), `name ${made++}`)).filter(Boolean).length;
  expect(bringIn(1000, () => "203.0.113.9")).toBe(10);
  expect(bringIn(1000, (at) => `203.0.113.${at % 256}`)).toBe(10);
  expect(bringIn(1000, (at) => `2001:db8:1:${hex(at)}::1`)).toBe(20);
  expect([mayName("203.0.113.9", "name 0"), mayName("203.0.113.9", "name 9")]).toEqual([true, true]);
  expect(bringIn(1, () => "198.51.100.1")).toBe(1);
  expect(bringIn(1000, (at) => `198.${at % 200}.1.1`)).toBe(500 - 41);
  now += DAY_MS;
  expect(bringIn(1000, () => "203.0.113.9")).toBe(10);
  expect(mayName("203.0.113.9", "name 0")).toBe(false);
  now -= 3 * DAY_MS;
  expect(bringIn(1, () => "203.0.114.9")).toBe(1);
});

test("2. made up", async () => {
  const telemetry = startTelemetry();
  const app = new Hono();
  app.use(telemetry.countViews);
  app.post("/search/:words", (context) => {
    telemetry.countSearches([{ query: context.req.param("words"), hits: 1 }], context);
    return context.body(null, 204);
  });
  app.get("/docs", (context) => context.html(""));
  const request = requestTo(app);
  const from = (number: number) => `2001:db8:1:${hex(number)}::1`;
  for (let at = 0; at < MAX_NAMES + 100; at++) {
    const words = String.fromCodePoint(...[...String(at)].map((digit) => 97 + Number(digit)));
    // Each as another browser, so that none counts as the typing of another.
    await request(`/search/flood${words}`, {
      method: "POST",
      from: from(at),
      headers: { "user-agent": `b${at}` },
    });
    await request("/docs", { from: from(at), headers: { referer: `https://${words}.example/` } });
  }
  await request("/search/honest", { method: "POST", from: "192.0.2.1" });
  await request("/docs", { from: "192.0.2.1", headers: { referer: "https://honest.example/" } });
  const { file, close } = telemetry;
  await close();
  const db = openDatabase(file).db;
  const namesOf = (kind: string) =>
    db
      .prepare("SELECT name FROM counts WHERE kind = ?")
      .all(kind)
      .map((row) => row["name"]);
  expect(namesOf("search")).toContain("honest");
  expect(namesOf("search").length).toBeLessThanOrEqual(2 * 200 + 2);
  expect(namesOf("referrer")).toContain("honest.example");
  expect(namesOf("referrer").length).toBeLessThanOrEqual(2 * 50 + 2);
  const sum = db.prepare("SELECT sum(count) AS sum FROM counts WHERE kind = 'search'").get();
  expect(sum?.["sum"]).toBe(MAX_NAMES + 101);
  db.close();
});
