/**
 * 1. `?` lists the keys, also when it is the reader's very first action; but not while the reader types.
 * 2. The footer's button opens the same list. Esc, the button and a press outside close it; the focus returns.
 * 3. Single keys are switched off and on in it; then `?`, `/` and `B` do nothing and the button still works.
 * 4. axe finds nothing, in both themes; nothing is too wide.
 * 5. A failed fetch is announced, and the next press tries again.
 */
import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { overflowOf } from "./overflow.ts";

test.use({ expectedErrors: /^Failed to load resource/ });

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Keyboard shortcuts" });
const buttonOf = (page: Page) =>
  page.getByRole("contentinfo").getByRole("button", { name: "Keyboard shortcuts" });

test("(1, 3, 5) the list of keys", { tag: "@one-width" }, async ({ docs, page }) => {
  const dialog = dialogOf(page);
  const button = buttonOf(page);
  const chunk = /\/assets\/shortcuts-[^/]*\.js$/;

  await test.step("(5) not without its code", async () => {
    await docs.openHydrated("/docs/faq");
    await page.route(chunk, (route) => route.abort());
    await page.keyboard.press("?");
    await expect(page.locator("#announcer")).toHaveText(/^The list of shortcuts could not be loaded/);
    await page.unroute(chunk);
  });

  await test.step("(1) the first action of all", async () => {
    await page.reload();
    await page.keyboard.press("?");
    await expect(dialog).toBeVisible();
    await expect(dialog.getByText("Search, also while typing")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await docs.searchBox.press("?");
    await expect(docs.searchBox).toHaveValue("?");
    await docs.searchBox.fill("");
    await expect(dialog).toHaveCount(0);
  });

  await test.step("(3) single keys off, and on", async () => {
    await button.press("Enter");
    const keys = dialog.getByRole("switch", { name: "Single-key shortcuts" });
    await keys.click();
    await expect(keys).toHaveAttribute("aria-checked", "false");
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    const action = page.getByRole("link", { name: "Build faster" });
    await expect(action).not.toHaveAttribute("aria-keyshortcuts");
    for (const key of ["?", "/", "b"]) await page.keyboard.press(key);
    await button.press("Enter");
    await keys.click();
    await page.keyboard.press("Escape");
    await expect(action).toHaveAttribute("aria-keyshortcuts", "B");
    expect(new URL(page.url()).pathname).toBe("/docs/faq");
    await expect(docs.searchBox).not.toBeFocused();
    await page.keyboard.press("?");
    await expect(dialog).toBeVisible();
  });
});

test("(2, 4) the button, three ways out, and the focus", async ({ docs, page }) => {
  const dialog = dialogOf(page);
  const button = buttonOf(page);
  await docs.openHydrated("/docs/faq");
  const outs = [
    () => page.keyboard.press("Escape"),
    () => dialog.getByRole("button", { name: "Close" }).click(),
    () => page.mouse.click(8, 400),
  ];
  for (const leave of outs) {
    await button.click();
    await expect(dialog).toBeVisible();
    await leave();
    await expect(dialog).toHaveCount(0);
    await expect(button).toBeFocused();
  }
  await button.click();
  await expect(dialog.getByText("Search, also while typing")).toBeVisible();
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await expectAccessible(page, { include: "dialog" });
  // Content that does not fit scrolls inside.
  await dialog.getByRole("switch").click();
  await expect(dialog.getByRole("switch")).toHaveAttribute("aria-checked", "false");
});
