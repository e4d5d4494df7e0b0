/**
 * 1. A search is kept when one of its hits is opened, the newest first, in this browser only; before that nothing is
 *    fetched or shown.
 * 2. The empty box with the focus offers them: by pointer and by keyboard alone they are chosen, removed one by one, and
 *    cleared. Esc closes the list and then leaves the box.
 * 3. axe finds nothing in either theme; nothing is wider than the screen.
 * 4. /your-data shows and erases them.
 * 5. Where storage is forbidden nothing is kept, and searching still works.
 */
import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { type DocsPage, expect, test } from "./fixtures.ts";
import { overflowOf } from "./overflow.ts";

const list = (page: Page) => page.getByRole("grid", { name: "Recent searches" });
const stored = (page: Page) => page.evaluate(() => JSON.parse(localStorage["searches"] ?? "null") as unknown);

async function searchAndOpen(docs: DocsPage, query: string, open: () => Promise<void>) {
  await docs.searchBox.fill(query);
  await expect(docs.results.getByRole("status")).toContainText(`for ${query}`);
  await open();
  await expect(docs.article).toBeVisible();
}

test("recent searches are offered, chosen and removed", async ({ docs, page }) => {
  const files: string[] = [];
  page.on("request", (request) => files.push(request.url()));
  await docs.openHydrated("/docs/faq");

  await test.step("1. a search is kept when it led somewhere", async () => {
    await docs.searchBox.focus();
    await docs.searchBox.fill("never opened");
    await searchAndOpen(docs, "turborepo", () => docs.hits().first().click());
    await expect.poll(() => stored(page)).toEqual(["turborepo"]);
    expect(files.filter((url) => url.includes("search-recents"))).toEqual([]);
    await searchAndOpen(docs, "registry", async () => {
      await docs.searchBox.press("ArrowDown");
      await docs.searchBox.press("Enter");
    });
    await expect.poll(() => stored(page)).toEqual(["registry", "turborepo"]);
  });

  await test.step("2. by pointer", async () => {
    // The box has kept the focus: the list opens only by the reader's action.
    await expect(list(page)).toBeHidden();
    await docs.searchBox.blur();
    await docs.searchBox.click();
    await expect(list(page).getByRole("row")).toHaveText(["registry", "turborepo", "Clear recent searches"]);
    await list(page).getByRole("button", { name: "turborepo", exact: true }).click();
    await expect(docs.searchBox).toHaveValue("turborepo");
    await expect(docs.hits().first()).toContainText("/docs/cache/reference/turbo");
    await expect(list(page)).toBeHidden();
    await docs.searchBox.press("Escape");
    await docs.searchBox.press("ArrowDown");
    await list(page).getByRole("button", { name: "Remove registry" }).click();
    await expect(list(page).getByRole("row")).toHaveText(["turborepo", "Clear recent searches"]);
    await expect(docs.searchBox).toBeFocused();
  });

  await test.step("3. axe finds nothing, and it fits the screen", async () => {
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
    for (const theme of ["light", "dark"]) {
      await page.evaluate((name) => (document.documentElement.dataset["theme"] = name), theme);
      await expectAccessible(page);
    }
  });

  await test.step("2. by keyboard", async () => {
    await page.evaluate(() => localStorage.setItem("searches", '["one","two","turborepo"]'));
    await page.reload();
    await docs.hydrate();
    await page.keyboard.press("Control+k");
    await expect(list(page)).toBeVisible();
    await expect(docs.searchBox).toHaveAttribute("aria-expanded", "true");
    await page.keyboard.press("ArrowDown");
    // A key may arrive before the effect of the former key is drawn.
    const active = async () => {
      const id = await docs.searchBox.getAttribute("aria-activedescendant");
      return page.locator(`[id="${id}"]`).allTextContents();
    };
    await expect.poll(active).toEqual(["one"]);
    await page.keyboard.press("Delete");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect(list(page).getByRole("row")).toHaveText(["turborepo", "Clear recent searches"]);
    await expect(page.locator("#announcer")).toHaveText("Removed from recent searches: two");
    await page.keyboard.press("Escape");
    await expect(list(page)).toBeHidden();
    await expect(docs.searchBox).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(docs.searchBox).toHaveValue("turborepo");
    await expect(docs.hits().first()).toBeVisible();
    await page.keyboard.press("ArrowDown");
    await expect(docs.searchBox).toHaveAttribute("aria-activedescendant", "hit-0");
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect(list(page)).toBeHidden();
    await expect.poll(() => stored(page)).toBeNull();
    await expect(docs.searchBox).toHaveAttribute("aria-expanded", "false");
    await page.keyboard.press("Escape");
    await expect(docs.searchBox).not.toBeFocused();
  });
});

test(
  "4. a reader sees and erases them with the rest of their data",
  { tag: "@one-width" },
  async ({ docs, page }) => {
    await page.addInitScript(() => localStorage.setItem("searches", '["layer cache","<b>bold</b>"]'));
    await docs.openHydrated("/your-data");
    await expect(page.getByRole("main").getByText("<b>bold</b>")).toBeVisible();
    await page.getByRole("button", { name: "Erase recent searches" }).click();
    await expect(page.getByText("This browser has no recent searches.")).toBeVisible();
    await expect.poll(() => stored(page)).toBeNull();
  },
);

test.describe("where storage is forbidden", () => {
  test.use({ consent: null });

  test("5. nothing is kept, and the search works", { tag: "@one-width" }, async ({ docs, page }) => {
    await page.addInitScript(() => {
      const refuse = () => {
        throw new DOMException("Forbidden", "SecurityError");
      };
      Object.defineProperty(window, "localStorage", { get: refuse });
    });
    await docs.openHydrated();
    await searchAndOpen(docs, "turborepo", () => docs.hits().first().click());
    await expect(page).toHaveURL(/\/docs\/cache\/reference\/turbo/);
    await docs.searchBox.click();
    await expect(list(page)).toBeHidden();
  });
});
