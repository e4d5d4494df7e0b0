/**
 * 1. A press on a drawing, or its button by keyboard, shows it as large as the window allows; Esc brings the page and the
 *    focus back.
 * 2. It becomes larger and smaller by button and key, and can then be moved; what is in the middle stays there.
 * 3. Two fingers enlarge it as they do the page, and nothing moves by itself.
 * 4. axe finds nothing, in both themes.
 */
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

test("a drawing is enlarged", async ({ docs, page }) => {
  await docs.openHydrated("/docs/core-concepts");
  const figure = page.locator("figure.flow");
  const button = figure.getByRole("button", { name: "Enlarge the diagram" });
  const dialog = page.getByRole("dialog", { name: /^An organization owns projects/ });
  const large = dialog.locator("svg");
  const frame = dialog.getByRole("group");
  const widthOf = async () => (await large.boundingBox())?.width ?? 0;

  await test.step("(1) by a press, and by keyboard", async () => {
    const own = (await figure.locator("svg").boundingBox())?.width ?? 0;
    await figure.locator("svg").click();
    await expect(large).toBeVisible();
    const viewport = page.viewportSize();
    expect(await widthOf()).toBeGreaterThanOrEqual(Math.min(own, (viewport?.width ?? 0) - 80));
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await button.press("Enter");
    await expect(large).toBeVisible();
  });

  await test.step("(2) larger and smaller", async () => {
    const first = await widthOf();
    await dialog.getByRole("button", { name: "Larger" }).click();
    await expect.poll(widthOf).toBeCloseTo(first * 1.5, 0);
    await page.keyboard.press("+");
    await expect.poll(widthOf).toBeCloseTo(first * 2, 0);
    const middle = () =>
      frame.evaluate((element) => (element.scrollLeft + element.clientWidth / 2) / element.scrollWidth);
    expect(await middle()).toBeCloseTo(0.5, 1);
    await frame.focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(middle).toBeGreaterThan(0.5);
    await page.keyboard.press("0");
    await expect.poll(widthOf).toBeCloseTo(first, 0);
    await expect(dialog.getByRole("button", { name: "Smaller" })).toBeDisabled();
  });

  await test.step("(3, 4) fingers, and axe", async () => {
    const actions = await large.evaluate((drawing) => {
      const all: string[] = [];
      for (let place: Element | null = drawing; place; place = place.parentElement)
        all.push(getComputedStyle(place).touchAction);
      return all;
    });
    for (const action of actions) expect(action).toMatch(/^(auto|manipulation)$/);
    expect(await frame.evaluate((element) => element.getAnimations({ subtree: true }).length)).toBe(0);
    await expectAccessible(page, { include: "dialog" });
  });

  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(button).toBeFocused();
});
