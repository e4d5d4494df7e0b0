/**
 * 1. An opened hit marks its passage on the page, without changing the page's nodes, and it is in view; the address
 *    then names it, so that a reload or a copied link also marks it.
 * 2. A button and Esc take the mark away, and the text from the address; so does the next page. axe finds nothing.
 * 3. Without JavaScript the hit's link names the text, and the browser marks it. With it, a removable mark replaces the
 *    browser's.
 * 4. A browser without highlights and text fragments gets `<mark>`s and a clean address.
 */
import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

/** Marked texts, by the browser's own highlights. */
const marked = (page: Page) =>
  page.evaluate(() => [...(CSS.highlights.get("found") ?? [])].map((range) => range.toString()));
const clearButton = (page: Page) => page.getByRole("button", { name: /^Clear highlight/ });
/** The address, with the part that the browser hides from scripts. */
const askedFor = (page: Page) =>
  page.evaluate(() => performance.getEntriesByType("navigation")[0]?.name ?? "");

test("a hit marks what it found, until the reader has seen it", async ({ docs, page }) => {
  await docs.openHydrated("/docs/faq");
  const nodes = () => page.locator("#prose").evaluate((prose) => prose.querySelectorAll("*").length);

  await test.step("1. the passage is marked, in view and in the address", async () => {
    await docs.searchBox.fill("keep the image flag");
    const hit = docs.hits().filter({ hasText: "--save-tag" }).first();
    await hit.click();
    await expect(clearButton(page)).toBeVisible();
    await expect.poll(async () => (await marked(page)).join(" ")).toMatch(/keep the image/i);
    await expect(page).toHaveURL(/\/docs\/[^?]+#[\w-]+$/);
    const isInView = () =>
      page.evaluate(() => {
        const [range] = CSS.highlights.get("found") ?? [];
        const top = range instanceof Range ? range.getBoundingClientRect().top : -1;
        return top > 0 && top < innerHeight;
      });
    await expect.poll(isInView).toBe(true);
    const count = await nodes();
    await page.reload();
    expect(await nodes()).toBe(count);
    expect(await askedFor(page)).toContain(":~:text=");
  });

  await test.step("2. Esc and the button take it away; axe finds nothing", async () => {
    await docs.hydrate();
    await expect(clearButton(page)).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(clearButton(page)).toBeHidden();
    await expect.poll(() => marked(page)).toEqual([]);
    await page.reload();
    expect(await askedFor(page)).not.toContain(":~:");

    await docs.hydrate();
    await docs.searchBox.fill("turborepo");
    await docs.hits().first().click();
    await clearButton(page).click();
    await expect(clearButton(page)).toBeHidden();
    await expect.poll(() => marked(page)).toEqual([]);

    await docs.searchBox.fill("turborepo");
    await docs.hits().first().click();
    await expect(clearButton(page)).toBeVisible();
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link").first().click();
    await expect(clearButton(page)).toBeHidden();
    await expect.poll(() => marked(page)).toEqual([]);
  });
});

test(
  "3. the address marks by itself, and the mark can be taken away",
  { tag: "@one-width" },
  async ({ docs, page, browser, baseURL }) => {
    const context = await browser.newContext({ javaScriptEnabled: false, ...(baseURL && { baseURL }) });
    const plain = await context.newPage();
    await plain.goto("/docs?q=--save-tag");
    const href = await plain
      .getByRole("listitem")
      .getByRole("link", { name: /--save-tag/ })
      .first()
      .getAttribute("href");
    expect(href).toMatch(/^\/docs\/[^?]+#[\w-]+:~:(?:.+&)?text=%2D%2Dsave/);
    await context.close();

    await docs.openHydrated(href ?? "");
    await expect(clearButton(page)).toBeVisible();
    await expect.poll(async () => (await marked(page)).join(" ")).toContain("--save-tag");
    await expect(page.locator("html")).toHaveClass(/has-found/);
    await clearButton(page).click();
    await expect.poll(() => marked(page)).toEqual([]);
  },
);

test(
  "4. an older browser gets marks of its own and a clean address",
  { tag: "@one-width" },
  async ({ docs, page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(CSS, "highlights", { value: undefined });
      delete (CSS as { highlights?: unknown }).highlights;
      delete (Document.prototype as { fragmentDirective?: unknown }).fragmentDirective;
    });
    await docs.openHydrated("/docs/faq");
    await docs.searchBox.fill("turborepo");
    await docs.hits().first().click();
    await expect(page.getByRole("article").locator("mark").first()).toContainText(/turborepo/i);
    const text = await docs.article.innerText();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("article").locator("mark")).toHaveCount(0);
    expect((await docs.article.innerText()).length).toBeLessThanOrEqual(text.length);
    await expect(clearButton(page)).toBeHidden();
  },
);
