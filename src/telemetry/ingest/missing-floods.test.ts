/**
 * Somebody who asks for thousands of addresses that do not exist names a few of them, whatever browsers, languages and
 * origins the requests tell of, from whichever addresses of one network, and however long it takes: what others ask for
 * still gets its names that day.
 */
import { Hono } from "hono";
import { expect, test, vi } from "vitest";
import { DAY_MS, startOfDay } from "../days.ts";
import { origin, requestTo, startTelemetry } from "../test-telemetry.ts";

const HOUR_MS = 3_600_000;
const NAMED_PER_SENDER = 20;
const start = startOfDay(20_780);

test.each([
  ["browsers", (at: number) => ({ "user-agent": `Chrome/${at}.0` }), "203.0.113.7", 0],
  ["languages", (at: number) => ({ "accept-language": `en;q=0.${at}` }), "203.0.113.7", 0],
  ["addresses of a network", () => ({}), "2001:db8:1:2::", 0],
  ["hours", () => ({}), "203.0.113.7", HOUR_MS],
])("many %s", async (_, headersOf, address, ms) => {
  let now = start;
  const { countViews, store } = startTelemetry({ clock: () => now });
  const app = new Hono();
  app.use(countViews);
  app.get("/*", (context) => context.html("", 404));
  const get = requestTo(app);
  for (let at = 0; at < 600; at += 1) {
    const from = address.endsWith(":") ? address + at.toString(16) : address;
    // A page of this site leads there, so that the report has it at once.
    await get(`/docs/made-up-${at}`, { from, headers: { referer: `${origin}/docs`, ...headersOf(at) } });
    if (at % 100 === 99) now += ms;
  }
  for (let at = 0; at < 200; at += 1)
    await get("/docs/made-up-0", {
      from: "203.0.113.7",
      headers: { referer: `https://site-${at}.example/` },
    });
  await get("/docs/broken", { from: "198.51.100.9", headers: { referer: `${origin}/docs/faq` } });
  const rows = await vi.waitFor(async () => {
    const read = await store.ask("missing", { from: start, to: start + DAY_MS });
    // The store takes them in batches.
    expect(read.reduce((sum, { count }) => sum + count, 0)).toBe(801);
    return read;
  });
  const named = rows.map(({ path }) => path).filter(Boolean);
  expect(named).toContain("/docs/broken");
  expect(named.length).toBeLessThanOrEqual(1 + NAMED_PER_SENDER);
  const origins = rows.flatMap((row) => row.from).filter(({ name }) => name.startsWith("site-"));
  expect(origins.length).toBeLessThanOrEqual(NAMED_PER_SENDER);
});
