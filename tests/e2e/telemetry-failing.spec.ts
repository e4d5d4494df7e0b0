/**
 * Blocked, failing and hanging endpoints, and SDKs that cannot be fetched: the site works, says nothing of it in the
 * console, and asks a bounded number of times.
 */
import type { Route } from "@playwright/test";
import { expect } from "./fixtures.ts";
import { recordTelemetry, test } from "./telemetry.ts";

// The browser itself writes this one line for each request that failed; nobody can keep it from doing so.
test.use({ consent: "analytics recording", expectedErrors: /^Failed to load resource/ });

const failures: { [name: string]: (route: Route) => Promise<void> } = {
  blocked: (route) => route.abort("blockedbyclient"),
  "answering 500": (route) => route.fulfill({ status: 500, body: "no" }),
  // Neither answered nor refused.
  hanging: async () => {},
};
/** Configuration, flags and their one retry, surveys, and the few events of the visit, each tried again at most once. */
const maxRequests = 20;

for (const [name, fail] of Object.entries(failures))
  test(`${name} endpoints`, async ({ docs, page }) => {
    const recorded = recordTelemetry(page);
    await page.route(/\/(?:ingest|insights|errors)\//, fail);
    await docs.openHydrated("/docs");
    await expect.poll(() => recorded.sent.length).toBeGreaterThan(0);
    await docs.searchBox.fill("cache");
    await docs.hits().first().click();
    await expect(docs.results).toHaveCount(0);
    await docs.link("FAQs").click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("questions");
    // The first retries come after three seconds; six have room for a storm.
    const until = Date.now() + 6000;
    await expect.poll(() => Date.now(), { timeout: 8000, intervals: [1000] }).toBeGreaterThan(until);
    expect(recorded.sent.length, recorded.sent.map((request) => request.url()).join("\n")).toBeLessThan(
      maxRequests,
    );
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

test("SDKs that cannot be fetched", async ({ docs, page }) => {
  const recorded = recordTelemetry(page);
  await page.route(/\/assets\/(?:posthog|recorder|insights|error-reports|start-reader)-/, (route) =>
    route.abort("blockedbyclient"),
  );
  await docs.openHydrated("/docs");
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy choices" }).click();
  // The notice cannot be had: the page with the same choices can.
  await expect(page).toHaveURL("/your-data");
  expect(recorded.sent).toEqual([]);
});
