/**
 * Every marketing page, at both widths:
 * 1. reads without JavaScript; 2. is not wider than the screen; 3. has no findings of axe in either theme;
 * 4. loads at most 4 KB of JavaScript before the first intent, one style sheet of at most 12 KB and at most 37 KB of fonts;
 * 5. does not shift while fonts and client arrive;
 * 6. asks no other origin for anything (the fixture of every test).
 */
import { marketingPaths, productPaths } from "#site/marketing/paths.ts";
import { expectAccessible } from "./axe.ts";
import { expect, measureShift, test } from "./fixtures.ts";
import { hydrate } from "./hydrate.ts";
import { overflowOf } from "./overflow.ts";
import { inlineScriptBytes, KB, recordSizes } from "./sizes.ts";

const pages = ["/", ...marketingPaths];

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("every page is complete", async ({ page }) => {
    for (const path of pages) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible();
      for (const heading of await page.getByRole("heading", { level: 2 }).all())
        await expect(heading, path).toBeVisible();
      await expect(page.getByRole("button", { name: /animation|theme/ }), path).toHaveCount(0);
    }
  });
});

/** On phones, colours are measured on one product; the others have the same styles. */
const withOwnColours = pages.filter((path) => !productPaths.slice(1).includes(path));

for (const path of pages)
  test(`${path} is small, not wider than the screen, and axe finds nothing`, async ({ page, isMobile }) => {
    const { responses, sizeOf } = recordSizes(page);
    await page.goto(path, { waitUntil: "load" });
    const script = (await sizeOf(/javascript/)) + (await inlineScriptBytes(page));
    expect(script, "JavaScript").toBeLessThanOrEqual(4 * KB);
    const sheets = responses.map((each) => each.url()).filter((url) => url.endsWith(".css"));
    const sheet = productPaths.includes(path) ? "/assets/sheet-product-" : "/assets/sheet-site-";
    expect(sheets).toEqual([expect.stringContaining(sheet)]);
    expect(await sizeOf(/text\/css/), "CSS").toBeLessThanOrEqual(12 * KB);
    const fonts = await sizeOf(/font/);
    expect(fonts, "fonts").toBeGreaterThan(0);
    expect(fonts, "fonts").toBeLessThanOrEqual(37 * KB);
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
    await expectAccessible(page, { withColours: !isMobile || withOwnColours.includes(path) });
  });

test("nothing shifts while fonts and client arrive", { tag: "@window" }, async ({ page }) => {
  test.setTimeout(90_000);
  // It answers requests for fonts itself, so no font comes from the browser's cache.
  const shift = await measureShift(page);
  for (const path of [...pages, "/status"]) {
    await page.goto(path);
    await hydrate(page);
    expect(await shift(), path).toBeLessThan(0.02);
  }
});
