/**
 * The size of telemetry, brotli (1 KB = 1,024 bytes), and when it is loaded: the question after the first
 * paint, for readers who are asked; the choices and each SDK for those who agreed.
 */
import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";
import { consentNotice, press, recordTelemetry, test } from "./telemetry.ts";

const KB = 1024;
const budgets: { [file: string]: number } = {
  ask: 1 * KB,
  "start-reader": 4 * KB,
  posthog: 53 * KB,
  recorder: 56 * KB,
  insights: 4 * KB,
  "error-reports": 22 * KB,
};

/** File name without hash → bytes over the wire. */
function recordFiles(page: Page) {
  const sizes = new Map<string, Promise<number>>();
  page.on("response", (response) => {
    const name = /\/assets\/([a-z-]+?)-[\w-]{8}\.js$/.exec(new URL(response.url()).pathname)?.[1];
    if (name && name in budgets)
      sizes.set(
        name,
        response.finished().then(async () => (await response.request().sizes()).responseBodySize),
      );
  });
  return sizes;
}

test.use({ expectedErrors: /^uncaught: for the budget$/ });

test("each part has its budget and comes when it is needed", async ({ docs, page }) => {
  const files = recordFiles(page);
  const recorded = recordTelemetry(page);
  await docs.openHydrated("/docs");
  await expect(consentNotice(page)).toBeVisible();
  expect([...files.keys()]).toEqual(["ask"]);
  await press(page, "Accept all");
  await expect
    .poll(() => [...files.keys()].toSorted())
    .toEqual(["ask", "insights", "posthog", "recorder", "start-reader"]);
  await page.evaluate(() => setTimeout(() => reportError(new Error("for the budget"))));
  await expect.poll(() => recorded.files).toContain("error-reports");
  await expect.poll(() => files.size).toBe(Object.keys(budgets).length);
  for (const [name, size] of files) expect(await size, name).toBeLessThanOrEqual(budgets[name] ?? 0);
});
