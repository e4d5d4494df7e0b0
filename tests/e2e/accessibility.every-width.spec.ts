/** axe finds nothing on docs pages and in every state of the results panel, in both themes and at both widths. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

async function expectNoViolations(page: Page) {
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"])
    .analyze();
  const found = violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join("\n  ")}`);
  expect(found).toEqual([]);
}

const pages = [
  "/docs",
  "/docs/container-builds/quickstart",
  "/docs/container-builds/overview",
  "/docs/faq",
  "/docs/cli/reference",
  "/docs/cache/reference/turbo",
  "/",
  "/status",
  "/no-such-page",
];

for (const colorScheme of ["light", "dark"] as const)
  test.describe(`${colorScheme} theme`, () => {
    test.use({ colorScheme, expectedErrors: /boom|search|status of (404|500)|uncaught/i });

    for (const path of pages)
      test(`page ${path}`, async ({ page }) => {
        await page.goto(path);
        await expectNoViolations(page);
      });

    test("results, and a selected hit", async ({ docs, page }) => {
      await docs.openHydrated();
      await docs.searchBox.fill("cache");
      await expect(docs.hits().first()).toBeVisible();
      await docs.searchBox.press("ArrowDown");
      await expectNoViolations(page);
    });

    test("no results", async ({ docs, page }) => {
      await docs.openHydrated();
      await docs.searchBox.fill("xqzvwkjy");
      await expect(docs.results.getByText("No results found")).toBeVisible();
      await expectNoViolations(page);
    });

    test("loading", async ({ docs, page }) => {
      await docs.openHydrated();
      await page.route("**/multi-search", () => {});
      await docs.searchBox.fill("cache");
      await expect(docs.results.getByText("Loading...")).toBeVisible();
      await expectNoViolations(page);
      await page.unrouteAll({ behavior: "ignoreErrors" });
    });

    test("error", async ({ docs, page }) => {
      await docs.openHydrated();
      await page.route("**/multi-search", (route) =>
        route.fulfill({ status: 500, json: { message: "boom" } }),
      );
      await docs.searchBox.fill("cache");
      await expect(docs.results.getByRole("alert")).toBeVisible();
      await expectNoViolations(page);
    });
  });
