/**
 * axe finds nothing on docs pages and in every state of the results panel, in both themes and at both widths.
 * Marketing pages, the console, the consent question and missing pages have the same check in their own
 * files.
 */
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

const pages = [
  "/docs",
  "/docs/container-builds/quickstart",
  "/docs/container-builds/overview",
  "/docs/faq",
  "/docs/cli/reference",
  "/docs/cache/reference/turbo",
  "/status",
];

/** On phones, colours are measured on one page of each kind; the others have no further elements. */
const withOwnColours = ["/docs", "/docs/container-builds/quickstart", "/status"];

// The longest page has thousands of elements, each with a colour.
test.describe.configure({ timeout: 90_000 });

test("pages", async ({ page, isMobile }) => {
  for (const path of pages)
    await test.step(path, async () => {
      await page.goto(path);
      await expectAccessible(page, { withColours: !isMobile || withOwnColours.includes(path) });
    });
});

test("results with a selected hit, no results, loading", async ({ docs, page }) => {
  await docs.openHydrated();
  await docs.searchBox.fill("cache");
  await expect(docs.hits().first()).toBeVisible();
  await docs.searchBox.press("ArrowDown");
  await expectAccessible(page, { withColours: true });

  await docs.searchBox.fill("xqzvwkjy");
  await expect(docs.results.getByText("No results found")).toBeVisible();
  await expectAccessible(page, { withColours: true });

  await page.route("**/multi-search", () => {});
  await docs.searchBox.fill("registry");
  await expect(docs.results.getByText("Loading...")).toBeVisible();
  await expectAccessible(page, { withColours: true });
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test.describe("error", () => {
  test.use({ expectedErrors: /status of 500|^Docs search failed: SearchApiError: boom|^uncaught: boom$/ });

  test("error", { tag: "@one-width" }, async ({ docs, page }) => {
    await docs.openHydrated();
    await page.route("**/multi-search", (route) => route.fulfill({ status: 500, json: { message: "boom" } }));
    await docs.searchBox.fill("cache");
    await expect(docs.results.getByRole("alert")).toBeVisible();
    await expectAccessible(page);
  });
});
