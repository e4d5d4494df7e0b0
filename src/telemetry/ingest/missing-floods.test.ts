/**
 * A sender that requests thousands of addresses that do not exist names a few of them, whatever browsers, languages and
 * origins the requests claim, from whichever addresses of one network, and however long it takes: other senders' requests
 * still get names that day.
 */
import { Hono } from "hono";
import { expect, test } from "vitest";
import { DAY_MS, startOfDay } from "../contract/days.ts";
import { origin, requestTo, startTelemetry } from "../testing/telemetry.ts";

const HOUR_MS = 3_600_000;
const NAMED_PER_SENDER = 20;
/** In a burst; a sender may add as many again within a day, and a network twice as many. */
const NAMED_IN_HOURS = NAMED_PER_SENDER + 5;
const NAMED_PER_NETWORK = 2 * NAMED_PER_SENDER;
const start = startOfDay(20_780);

test.each([
  [
    "browsers",
    (at: number) => ({ "user-agent": `Chrome/${at}.0` }),
    () => "203.0.113.7",
    0,
    NAMED_PER_SENDER,
  ],
  [
    "languages",
    (at: number) => ({ "accept-language": `en;q=0.${at}` }),
    () => "203.0.113.7",
    0,
    NAMED_PER_SENDER,
  ],
  ["addresses", () => ({}), (at: number) => `2001:db8:1:2::${at.toString(16)}`, 0, NAMED_PER_SENDER],
  ["networks of a /48", () => ({}), (at: number) => `2001:db8:1:${at.toString(16)}::1`, 0, NAMED_PER_NETWORK],
  ["addresses of a /24", () => ({}), (at: number) => `203.0.113.${at % 256}`, 0, NAMED_PER_NETWORK],
  ["hours", () => ({}), () => "203.0.113.7", HOUR_MS, NAMED_IN_HOURS],
])("many %s", async (_, headersOf, addressOf, ms, most) => {
  let now = start;
  const { countViews, store } = startTelemetry({ clock: () => now });
  const app = new Hono();
  app.use(countViews);
  app.get("/*", (context) => context.html("", 404));
  const get = requestTo(app);
  for (let at = 0; at < 600; at += 1) {
    const from = addressOf(at);
    // A page of this site leads there, so that the report has it immediately.
    await get(`/docs/made-up-${at}`, { from, headers: { referer: `${origin}/docs`, ...headersOf(at) } });
    if (at % 100 === 99) now += ms;
  }
  for (let at = 0; at < 200; at += 1)
    await get("/docs/made-up-0", {
      from: "203.0.113.7",
      headers: { referer: `https://site-${at}.example/` },
    });
  await get("/docs/broken", { from: "198.51.100.9", headers: { referer: `${origin}/docs/faq` } });
  await store.flush();
  const rows = await store.ask("missing", { from: start, to: start + DAY_MS });
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(801);
  const named = rows.map(({ path }) => path).filter(Boolean);
  expect(named).toContain("/docs/broken");
  expect(named.length).toBeLessThanOrEqual(1 + most);
  const origins = rows.flatMap((row) => row.from).filter(({ name }) => name.startsWith("site-"));
  expect(origins.length).toBeLessThanOrEqual(most);
});
