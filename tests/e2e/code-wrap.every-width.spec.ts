/**
 * 1. A block with a line that does not fit gets a button as soon as the pointer or the focus is on it; others get none.
 * 2. It wraps the lines of all blocks, by mouse and by keyboard, and unwraps them; nothing scrolls sideways.
 * 3. The copied text is the same, wrapped or not.
 * 4. The choice holds for the next page and after a reload.
 * 5. axe finds nothing, in both themes.
 */
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

const PAGE = "/docs/cache/reference/turbo";

test("lines of code are wrapped", async ({ docs, page }) => {
  // Some lines fit and some do not.
  if ((page.viewportSize()?.width ?? 0) > 700) await page.setViewportSize({ width: 700, height: 900 });
  await docs.openHydrated(PAGE);
  const indexes = await page.locator("figure.code").evaluateAll((figures) =>
    figures.map((figure) => {
      const pre = figure.querySelector("pre");
      return pre && pre.clientWidth > 0 ? pre.scrollWidth > pre.clientWidth : null;
    }),
  );
  expect(indexes).toContain(true);
  expect(indexes).toContain(false);
  const wide = page.locator("figure.code").nth(indexes.indexOf(true));
  const narrow = page.locator("figure.code").nth(indexes.indexOf(false));
  const button = wide.getByRole("button", { name: "Wrap lines" });
  const sideways = () => wide.locator("pre").evaluate((pre) => pre.scrollWidth - pre.clientWidth);
  const copy = async () => {
    await wide.getByRole("button", { name: /Copy code|Copied/ }).click();
    await expect(wide.getByRole("button", { name: "Copied" })).toBeVisible();
    return page.evaluate(() => navigator.clipboard.readText());
  };

  await test.step("(1) only where it is needed", async () => {
    await wide.locator("pre").hover();
    await expect(button).toHaveAttribute("aria-pressed", "false");
    await narrow.locator("pre").hover();
    await narrow.locator("pre").focus();
    await expect(narrow.getByRole("button", { name: "Wrap lines" })).toHaveCount(0);
  });

  const copied = await copy();
  await test.step("(2, 3, 5) by mouse, and back by keyboard", async () => {
    await button.click();
    await expect.poll(sideways).toBe(0);
    await expect(button).toHaveAttribute("aria-pressed", "true");
    expect(await copy()).toBe(copied);
    await expectAccessible(page, { include: "#prose" });
    // The previous stop of the Tab key.
    await wide.locator("pre").focus();
    await page.keyboard.press("Shift+Tab");
    await expect(button).toBeFocused();
    await page.keyboard.press("Enter");
    await expect.poll(sideways).toBeGreaterThan(0);
    await page.keyboard.press("Space");
    await expect.poll(sideways).toBe(0);
  });

  await test.step("(4) on the next page, and after a reload", async () => {
    const title = (await page.getByRole("heading", { level: 1 }).textContent()) ?? "";
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link").first().click();
    await expect(page.getByRole("heading", { level: 1 })).not.toHaveText(title);
    await page.goBack();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect.poll(sideways).toBe(0);
    await page.reload();
    await docs.hydrate();
    await expect.poll(sideways).toBe(0);
    await wide.locator("pre").hover();
    await expect(button).toHaveAttribute("aria-pressed", "true");
  });
});
