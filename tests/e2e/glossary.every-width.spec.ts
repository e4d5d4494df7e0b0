/**
 * 1. The pointer on a word of the glossary, the focus, or a finger's tap shows its meaning; one request loads all
 *    meanings.
 * 2. The meaning stays while the pointer is on it, goes with Esc without moving anything, and with the pointer.
 * 3. By keyboard it stays until the focus goes, and Enter follows the word to its definition.
 * 4. The card is inside the window, and axe finds nothing, in both themes.
 * 5. Without JavaScript, and where the meanings cannot be fetched, the word is a link to its definition.
 */
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

const PAGE = "/docs/container-builds/overview";

test("words explain themselves", async ({ docs, page, hasTouch }) => {
  const requests: string[] = [];
  page.on("request", (request) => request.url().endsWith("/glossary.json") && requests.push(request.url()));
  await docs.openHydrated(PAGE);
  const words = docs.article.locator('[data-hover="term"]');
  const word = words.first();
  const card = page.locator("#term-card");
  const expectInside = async () => {
    const box = await card.boundingBox();
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
    expect(box && [box.x >= 0, box.y >= 0, box.x + box.width <= width, box.y + box.height <= height]).toEqual(
      Array(4).fill(true),
    );
  };

  if (hasTouch)
    await test.step("(1) a tap, another elsewhere", async () => {
      await word.tap();
      await expect(card).toBeVisible();
      await expectInside();
      await expectAccessible(page, { include: "article", withColours: false });
      await page.getByRole("heading", { level: 1 }).tap();
      await expect(card).toHaveCount(0);
      expect(new URL(page.url()).pathname).toBe(PAGE);
    });

  // A finger does not hover.
  const byPointer = async () => {
    await word.hover();
    await expect(card).toContainText((await word.textContent()) ?? "", { ignoreCase: true });
    await expectInside();
    await card.hover();
    await expect(word).toHaveAttribute("aria-describedby", "term-card");
    await expectAccessible(page, { include: "article" });
    await page.keyboard.press("Escape");
    await expect(card).toHaveCount(0);
    await page.mouse.move(2, 2);
    await word.hover();
    await expect(card).toBeVisible();
    await page.mouse.move(2, 2);
    await expect(card).toHaveCount(0);
  };
  if (!hasTouch) await test.step("(1, 2) by pointer", byPointer);

  await test.step("(3) by keyboard", async () => {
    await words.nth(1).focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    await expect(words.nth(1)).toBeFocused();
    await expect(card).toBeVisible();
    await page.keyboard.press("Tab");
    // Another word may be next to it.
    await expect(words.nth(1)).not.toHaveAttribute("aria-describedby");
    const target = (await words.nth(1).getAttribute("href")) ?? "";
    await words.nth(1).press("Enter");
    await expect(page).toHaveURL(target);
    await expect(card).toHaveCount(0);
  });
  expect(requests).toHaveLength(1);
});

test.describe("without the meanings", () => {
  test.use({ expectedErrors: /^Failed to load resource/ });

  test("(5) the word is a link", { tag: "@one-width" }, async ({ docs, page }) => {
    await page.route("**/glossary.json", (route) => route.abort());
    await docs.openHydrated(PAGE);
    const word = docs.article.locator('[data-hover="term"]').first();
    const failed = page.waitForEvent("requestfailed");
    await word.hover();
    await failed;
    await word.click();
    await expect(page).toHaveURL(/\/docs\/core-concepts#\w/);
  });

  test.describe(() => {
    test.use({ javaScriptEnabled: false });
    test("(5) nor a script", { tag: "@one-width" }, async ({ page }) => {
      await page.goto(PAGE);
      await page.locator('article [data-hover="term"]').first().click();
      await expect(page).toHaveURL(/\/docs\/core-concepts#\w/);
      await expect(page.locator(":target")).toBeVisible();
    });
  });
});
