/**
 * An address that does not exist, outside the documentation:
 * 1. the status is 404 and search engines are asked not to keep it; 2. the search works, without JavaScript too;
 * 3. the four starting links exist; 4. axe finds nothing, nothing is wider than the screen, nothing shifts.
 */
import { expectAccessible } from "./axe.ts";
import { expect, measureShift, test } from "./fixtures.ts";
import { hydrate } from "./hydrate.ts";
import { overflowOf } from "./overflow.ts";

test.use({ expectedErrors: /status of 404/ });
const missing = "/no-such-page";

test("1, 3, 4. says so, leads on, and fits the screen", async ({ page, request }) => {
  const response = await page.goto(missing);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", "noindex");
  const links = page.getByRole("main").getByRole("link");
  await expect(links).toHaveCount(4);
  for (const link of await links.all()) {
    const href = (await link.getAttribute("href")) ?? "";
    expect((await request.get(href)).status(), href).toBe(200);
  }
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await expectAccessible(page);
});

for (const javaScriptEnabled of [true, false])
  test.describe(javaScriptEnabled ? "with JavaScript" : "without JavaScript", () => {
    test.use({ javaScriptEnabled });
    test("2. searches the documentation", { tag: "@one-width" }, async ({ page }) => {
      await page.goto(missing);
      await page.getByRole("main").getByRole("textbox", { name: "Search docs" }).fill("layer cache");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/docs?q=layer+cache");
      await expect(page.getByRole("heading", { name: "Search results" })).toBeVisible();
    });
  });

test("4. nothing shifts while fonts and client arrive", async ({ page }) => {
  const shift = await measureShift(page);
  await page.goto(missing);
  await hydrate(page);
  expect(await shift()).toBeLessThan(0.02);
});
