/**
 * 1. Where no one else can fetch the page (here: localhost), the menu offers no agent that runs elsewhere.
 * 2. Where the site's address is public, it offers both, with the page's own address.
 * 3. The menu's keys: arrows wrap, Esc closes it and gives the focus back. axe finds nothing. The menu is inside the
 *    margin of the text.
 * 4. Without a repository in `site.config.ts` there is no link to edit.
 */
import { expectAccessible } from "./axe.ts";
import { expect, origin, test } from "./fixtures.ts";

const PAGE = "/docs/cache/overview";

test("agents are offered only what they can fetch", async ({ docs, page }) => {
  const names = async () => {
    await page.getByRole("button", { name: "More page actions" }).click();
    const menu = page.getByRole("menu", { name: "More page actions" });
    await expect(menu).toBeVisible();
    return menu.getByRole("menuitem").allTextContents();
  };
  const own = ["Copy as Markdown", "View as Markdown", "My setup"];
  await docs.openHydrated(PAGE);
  await expect(page.getByRole("link", { name: "Edit" })).toHaveCount(0);
  expect(await names()).toEqual(own);
  const items = page.getByRole("menuitem");
  await expect(items.first()).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(items.last()).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(items.first()).toBeFocused();
  await expectAccessible(page, { include: ".doc-top" });
  const ends = await page.evaluate(() =>
    [".menu", ".doc-title"].map((name) => document.querySelector(name)?.getBoundingClientRect().right ?? 0),
  );
  expect(ends[0]).toBeLessThanOrEqual((ends[1] ?? 0) + 1);
  await page.keyboard.press("Escape");
  await expect(items).toHaveCount(0);
  const more = page.getByRole("button", { name: "More page actions" });
  await expect(more).toBeFocused();
  await expect(more).toHaveAttribute("aria-expanded", "false");

  // The same page as a server elsewhere would send it.
  await page.route(PAGE, async (route) => {
    const response = await route.fetch();
    const html = (await response.text()).replaceAll(origin, "https://docs.acme.dev");
    await route.fulfill({ response, body: html });
  });
  await docs.openHydrated(PAGE);
  expect(await names()).toEqual([...own, "Open in Claude", "Open in Cursor"]);
  const prompt = encodeURIComponent(`Read https://docs.acme.dev${PAGE}.md and help me with it.`);
  await expect(page.getByRole("menuitem", { name: "Open in Claude" })).toHaveAttribute(
    "href",
    `https://claude.ai/new?q=${prompt}`,
  );
});
