/**
 * Tables: 1. none is cut off next to the tree at 1440 px; 2. a table that is cut off says so at that edge, in both
 * themes and with motion reduced, and can be scrolled with the keyboard; 3. a table that fits says nothing. 4. On a phone, a
 * name in the first column of a table that scrolls is on one line, and the page is not wider than the screen.
 */
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { overflowOf as overflowOfPage } from "./overflow.ts";

/** Pages whose tables once did not fit. */
const pages = [
  "/docs/container-builds/how-to-guides/docker-build/secrets",
  "/docs/container-builds/reference/google-cloud-build",
  "/docs/cache/overview",
  "/docs/cache/reference/maven",
  "/docs/cache/reference/moonrepo",
  "/docs/api/authentication",
  "/docs/api/authentication/ci-providers",
];

/** The frames of tables: they scroll. */
const tables = (page: Page) => page.getByRole("article").locator(".table-wrap");
const overflowOf = (table: Locator) => table.evaluate((element) => element.scrollWidth - element.clientWidth);
/** The shaded edges: the lengths of the two inset shadows with a visible colour. */
const shadeOf = (table: Locator) =>
  table.evaluate((element) => {
    const { boxShadow } = getComputedStyle(element);
    const shadows = boxShadow.match(/(?:rgba?|oklch|color)\([^)]*\) -?\d+px/g) ?? [];
    const visible = shadows.filter((shadow) => !/, 0\)|\/ 0\)/.test(shadow));
    return visible.map((shadow) => (shadow.includes(" -") ? "right" : "left"));
  });

test("1. none is cut off at 1440 px", { tag: "@window" }, async ({ docs, page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const path of pages) {
    await docs.open(path);
    await page.evaluate(() => document.fonts.ready);
    for (const table of await tables(page).all()) {
      expect(await overflowOf(table), path).toBe(0);
      expect(await shadeOf(table), path).toEqual([]);
    }
  }
});

for (const colorScheme of ["light", "dark"] as const)
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: "reduce" } });

    test("2. a cut-off edge is in shade", async ({ docs, page }) => {
      await page.setViewportSize({ width: 320, height: 640 });
      await docs.open("/docs/api/authentication/ci-providers");
      const table = page.getByRole("region", { name: "Narrow it" });
      expect(await overflowOf(table)).toBeGreaterThan(0);
      await expect.poll(() => shadeOf(table)).toEqual(["right"]);
      await table.focus();
      await expect(table).toBeFocused();
      await page.keyboard.press("ArrowRight");
      await expect.poll(() => table.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
      await table.evaluate((element) =>
        element.scrollTo({ left: element.scrollWidth / 3, behavior: "instant" }),
      );
      await expect.poll(() => shadeOf(table)).toEqual(["left", "right"]);
      await table.evaluate((element) => element.scrollTo({ left: element.scrollWidth, behavior: "instant" }));
      await expect.poll(() => shadeOf(table)).toEqual(["left"]);
    });
  });

test("3. a table that fits has no shade", async ({ docs, page }) => {
  await docs.open("/docs/container-builds/how-to-guides/docker-build/secrets");
  const fitting = tables(page).first();
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(await overflowOf(fitting)).toBe(0);
  expect(await shadeOf(fitting)).toEqual([]);
});

test("4. names are whole on a phone", async ({ docs, page }) => {
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await docs.open("/docs/api/overview");
    await page.evaluate(() => document.fonts.ready);
    const code = page.getByRole("cell", { name: "unauthenticated", exact: true }).locator("code");
    const lines = await code.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    });
    expect(lines, String(width)).toBe(1);
    expect(await overflowOfPage(page), String(width)).toBe(0);
  }
});
