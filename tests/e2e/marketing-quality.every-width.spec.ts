/**
 * Every marketing page, at both widths:
 * 1. reads without JavaScript; 2. is not wider than the screen; 3. has no findings of axe in either theme;
 * 4. loads at most 4 KB of JavaScript before the first intent; 5. does not shift while fonts and client arrive;
 * 6. asks no other origin for anything (the fixture of every test).
 */
import { brotliCompressSync } from "node:zlib";
import { marketingPaths } from "../../src/site/marketing/paths.ts";
import { expectAccessible } from "./axe.ts";
import { expect, measureShift, test } from "./fixtures.ts";
import { hydrate } from "./hydrate.ts";

const pages = ["/", ...marketingPaths];

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  for (const path of pages)
    test(`${path} is complete`, async ({ page }) => {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      for (const heading of await page.getByRole("heading", { level: 2 }).all())
        await expect(heading).toBeVisible();
      await expect(page.getByRole("button", { name: /animation|theme/ })).toHaveCount(0);
    });
});

for (const path of pages)
  test(`${path} is not wider than the screen, and axe finds nothing`, async ({ page }) => {
    await page.goto(path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    await expectAccessible(page);
  });

test.describe("what it costs", () => {
  for (const path of pages)
    test(`${path}: at most 4 KB of JavaScript before the first intent`, async ({ page }) => {
      let scripts = 0;
      page.on("response", async (response) => {
        if (/javascript/.test(response.headers()["content-type"] ?? "") && !/vendor-/.test(response.url()))
          scripts += (await response.request().sizes()).responseBodySize;
      });
      await page.goto(path, { waitUntil: "load" });
      const inline = await page.evaluate(() =>
        [...document.querySelectorAll("script:not([src])")]
          .filter((script) => !script.getAttribute("type")?.startsWith("text/x-"))
          .map((script) => script.textContent)
          .join("\n"),
      );
      expect(scripts + brotliCompressSync(inline).length).toBeLessThanOrEqual(4_000);
    });

  for (const path of [...pages, "/status"])
    test(`nothing shifts on ${path} while fonts and client arrive`, async ({ page }) => {
      const shift = await measureShift(page);
      await page.goto(path);
      await hydrate(page);
      expect(await shift()).toBeLessThan(0.02);
    });
});
