/**
 * 1. The filters are fetched when they are opened, with correct counts: a filter leads to as many results as it says.
 * 2. Several values of a facet widen, another facet narrows; all are in the address, survive typing and a reload, and go
 *    with the panel.
 * 3. No results with a filter: the panel says so, and offers the search without it.
 * 4. By keyboard alone; axe finds nothing; nothing is wider than the screen.
 * 5. Without JavaScript the filters are links; unknown values are ignored.
 */
import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { type DocsPage, expect, recordSearches, test } from "./fixtures.ts";
import { overflowOf } from "./overflow.ts";

const openFilters = (docs: DocsPage) => docs.results.locator("summary", { hasText: "Filter" });
const filterLink = (docs: DocsPage, name: string) =>
  docs.results.getByRole("link", { name: new RegExp(`^${name} \\d+ results?`) });

/** How many results a filter promises. */
async function countOf(docs: DocsPage, name: string): Promise<number> {
  return Number(/\d+/.exec((await filterLink(docs, name).textContent()) ?? "")?.[0]);
}

async function expectTotal(docs: DocsPage, total: number): Promise<void> {
  await expect(docs.results.getByRole("status")).toHaveText(new RegExp(`^${total} results? `));
}

const parametersOf = (page: Page) => [...new URL(page.url()).searchParams].map((pair) => pair.join("="));

test("a reader narrows a search, changes it and comes back", async ({ docs, page }) => {
  const files: string[] = [];
  page.on("request", (request) => files.push(request.url()));
  await docs.openHydrated("/docs/faq");
  const bodies = recordSearches(page);
  await docs.searchBox.fill("registry");
  await expect(docs.hits().first()).toBeVisible();

  await test.step("1. nothing is asked or fetched before the filters are opened; then the counts hold", async () => {
    expect(bodies.flatMap(({ queries }) => queries.filter((query) => "facets" in query))).toEqual([]);
    expect(files.filter((url) => url.includes("search-filters"))).toEqual([]);
    await openFilters(docs).click();
    const total = await countOf(docs, "CLI");
    await filterLink(docs, "CLI").click();
    await expectTotal(docs, total);
    await expect(docs.hits().locator(".hit-lvl0").first()).toHaveText("CLI");
    await expect(filterLink(docs, "CLI")).toHaveAttribute("aria-current", "true");
  });

  await test.step("2. another section widens, a kind narrows", async () => {
    const both = (await countOf(docs, "CLI")) + (await countOf(docs, "Registry"));
    await filterLink(docs, "Registry").click();
    await expectTotal(docs, both);
    await expect(docs.results.locator(".hit-lvl0", { hasText: "Registry" }).first()).toBeVisible();
    await filterLink(docs, "Code").click();
    await expect(filterLink(docs, "Code")).toHaveAttribute("aria-current", "true");
    // Counts of the other facet follow a moment later.
    await expect(async () => expectTotal(docs, await countOf(docs, "Code"))).toPass();
    expect(parametersOf(page)).toEqual(["q=registry", "section=CLI", "section=Registry", "kind=code"]);
    await expect(openFilters(docs)).toHaveText("Filter (3)");
  });

  await test.step("4. axe finds nothing, in both themes; nothing is too wide", async () => {
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
    for (const theme of ["light", "dark"]) {
      await page.evaluate((name) => (document.documentElement.dataset["theme"] = name), theme);
      await expectAccessible(page);
    }
  });

  await test.step("2. typing keeps them, a reload too, and closing the panel drops them", async () => {
    await docs.searchBox.fill("registry login");
    await expect(page).toHaveURL(/q=registry\+login&section=CLI/);
    await page.reload();
    await docs.hydrate();
    await expect(openFilters(docs)).toHaveText("Filter (3)");
    await expect(docs.results.locator(".hit-lvl0").first()).toHaveText(/CLI|Registry/);
    await docs.searchBox.fill("");
    await expect(page).toHaveURL("/docs/faq");
    await docs.searchBox.fill("registry");
    await expect(openFilters(docs)).toHaveText("Filter");
  });
});

test(
  "4. by keyboard; 3. no results with a filter lead back to all",
  { tag: "@one-width" },
  async ({ docs, page }) => {
    await docs.openHydrated("/docs?q=turborepo");
    await openFilters(docs).focus();
    await page.keyboard.press("Enter");
    await filterLink(docs, "Code").focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/docs?q=turborepo&kind=code");
    await expect(filterLink(docs, "Code")).toBeFocused();
    await docs.openHydrated("/docs?q=turborepo&section=Managed");
    await expect(docs.results.getByText("No results found with these filters")).toBeVisible();
    await docs.results.getByRole("link", { name: "Search without filters" }).press("Enter");
    await expect(docs.hits().first()).toBeVisible();
    await expect(page).toHaveURL("/docs?q=turborepo");
  },
);

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("5. filters are links, and what is unknown is ignored", async ({ docs, page }) => {
    await docs.open("/docs?q=registry&section=Nonsense&kind=nonsense");
    await openFilters(docs).click();
    const total = await countOf(docs, "CLI");
    await filterLink(docs, "CLI").click();
    await expect(page).toHaveURL("/docs?q=registry&section=CLI");
    await expectTotal(docs, total);
    await docs.results.getByRole("link", { name: "Code", exact: true }).click();
    await expect(page).toHaveURL("/docs?q=registry&section=CLI&kind=code");
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
    await docs.results.getByRole("link", { name: "Clear filters" }).click();
    await expect(page).toHaveURL("/docs?q=registry");
    await docs.open("/docs?q=turborepo&section=Managed");
    await docs.results.getByRole("link", { name: "Search without filters" }).click();
    await expect(page).toHaveURL("/docs?q=turborepo");
  });
});
