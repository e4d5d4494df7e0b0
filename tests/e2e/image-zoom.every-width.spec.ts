/**
 * 1. A press on a drawing, or its button by keyboard, shows it as large as the window allows; Esc brings the page and the
 *    focus back.
 * 2. It becomes larger and smaller by button and key, and can then be moved; the middle stays in place.
 * 3. Two fingers enlarge it as they do the page, and nothing moves on its own.
 * 4. axe finds nothing, in both themes.
 * 5. An image, which is a link to its file, does the same and is loaded immediately; the address stays.
 */
import { h } from "hastscript";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { makeEnlargeable } from "#docs/content/blocks/enlargeable.ts";
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

test("(5) an image is enlarged", async ({ docs, page }) => {
  // The compiler's output for an image; no page has one today.
  const root = h(null, [
    h("p", [h("img", { src: "/og-docs.png", alt: "A picture of the site", width: 300 })]),
  ]);
  makeEnlargeable(root);
  const html = unified().use(rehypeStringify).stringify(root);
  await docs.openHydrated("/docs/faq");
  await page.evaluate(
    (text) => document.querySelector("#prose")?.insertAdjacentHTML("afterbegin", text),
    html,
  );
  const link = page.getByRole("link", { name: "A picture of the site" });
  await expect(link).toHaveAttribute("href", "/og-docs.png");
  await link.click();
  const dialog = page.getByRole("dialog", { name: "A picture of the site" });
  const large = dialog.getByRole("img");
  await expect.poll(() => large.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  const { width: window = 0, height = 0 } = page.viewportSize() ?? {};
  const box = await large.boundingBox();
  expect(box?.width).toBeGreaterThanOrEqual(Math.min(300, window - 80));
  expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? window) <= window).toBe(true);
  expect((box?.y ?? 0) + (box?.height ?? height)).toBeLessThanOrEqual(height);
  await dialog.getByRole("button", { name: "Larger" }).click();
  await expect.poll(async () => (await large.boundingBox())?.width).toBeCloseTo((box?.width ?? 0) * 1.5, 0);
  await expectAccessible(page, { include: "dialog" });
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(link).toBeFocused();
  await expect(page).toHaveURL("/docs/faq");
});
