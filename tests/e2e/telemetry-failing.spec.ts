/**
 * Blocked, failing and hanging endpoints, and SDKs that cannot be fetched: the site works, prints nothing
 * about it in the console, and sends a bounded number of requests, within ten minutes of the page's own
 * clock.
 */
import type { Route } from "@playwright/test";
import { drawFrames, expect } from "./fixtures.ts";
import { recordTelemetry, test } from "./telemetry.ts";

// The browser itself writes this line for each failed request; it cannot be suppressed.
test.use({ consent: "analytics recording", expectedErrors: /^Failed to load resource/ });

const failures: { [name: string]: (route: Route) => Promise<void> } = {
  blocked: (route) => route.abort("blockedbyclient"),
  "answering 500": (route) => route.fulfill({ status: 500, body: "no" }),
  // Requests are neither answered nor refused.
  hanging: async () => {},
};
/** Configuration, flags, surveys and searches; without the visit's events. */
const MAX_OTHERS = 12;
/** The visit's events are sent in one batch for each few seconds that it takes, and one when the page is hidden. */
const MAX_BATCHES = 6;
/** Each retry waits longer than the last. */
const MAX_RETRIES = 8;
/** Every three seconds the SDK checks its retries. */
const tenMinutes = [...Array<number>(20).fill(3000), ...Array<number>(18).fill(30_000)];

const isEvents = (url: string) => url.includes("/ingest/e/");

for (const [name, fail] of Object.entries(failures))
  test(`${name} endpoints`, async ({ docs, page }) => {
    const recorded = recordTelemetry(page);
    await page.clock.install();
    await page.route(/\/(?:ingest|insights|errors)\//, fail);
    await docs.openHydrated("/docs");
    await expect.poll(() => recorded.sent.length).toBeGreaterThan(0);
    await docs.searchBox.fill("cache");
    await docs.hits().first().click();
    await expect(docs.results).toHaveCount(0);
    await docs.link("FAQs").click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("questions");
    for (const step of tenMinutes) {
      await page.clock.fastForward(step);
      await drawFrames(page);
    }
    const sent = recorded.sent.map((request) => request.url());
    const [batches, others] = [sent.filter(isEvents), sent.filter((url) => !isEvents(url))];
    const first = batches.filter((url) => !url.includes("retry_count"));
    const report = sent.join("\n");
    expect(others.length, report).toBeLessThanOrEqual(MAX_OTHERS);
    expect(first.length, report).toBeLessThanOrEqual(MAX_BATCHES);
    expect(batches.length, report).toBeLessThanOrEqual(first.length * (1 + MAX_RETRIES));
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

test("SDKs that cannot be fetched", async ({ docs, page }) => {
  const recorded = recordTelemetry(page);
  await page.route(/\/assets\/(?:posthog|recorder|insights|error-reports|start-reader)-/, (route) =>
    route.abort("blockedbyclient"),
  );
  await docs.openHydrated("/docs");
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy choices" }).click();
  // The notice cannot be loaded, but the page with the same choices can.
  await expect(page).toHaveURL("/your-data");
  expect(recorded.sent).toEqual([]);
});
