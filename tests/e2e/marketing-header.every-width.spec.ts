/**
 * Specification, section 1, "Marketing area":
 * 1. A marketing header: the name, the theme toggle, links that exist, the open page marked.
 * 2. The 'build faster' shortcut call-to-action: link, key and switch.
 * 3. The community chat is hidden while the site configures none (`providers/community-chat.ts` has the rest).
 *    `products-menu.every-width.spec.ts` has the menu of products.
 */
import { expect, test } from "./fixtures.ts";
import { hydrate } from "./hydrate.ts";

/** The application: a signed-out person gets its sign-in first. */
const application = "/app";

test.describe("the header", () => {
  test("has the site's name, the theme toggle, and links that exist", async ({ page, request, isMobile }) => {
    await page.goto("/");
    const header = page.getByRole("banner");
    await expect(header.getByRole("link", { name: "Millrace home" })).toBeVisible();
    await expect(header.getByRole("button", { name: /Switch to (dark|light) theme/ })).toBeVisible();
    if (isMobile) await header.getByRole("button", { name: "Open menu" }).click();
    else await header.getByRole("button", { name: "Products" }).click();
    const links = page.getByRole("navigation", { name: "Main", exact: true }).getByRole("link");
    await expect(links).toContainText([
      "Container builds",
      "Registry",
      "CI runners",
      "Cache",
      "Agents",
      "Managed on AWS",
      "Docs",
      "Trust",
      "Changelog",
    ]);
    for (const link of await links.all()) {
      const href = (await link.getAttribute("href")) ?? "";
      expect((await request.get(href)).status(), href).toBe(200);
    }
  });

  test("marks the page that is open", async ({ page, isMobile }) => {
    await page.goto("/changelog");
    if (isMobile) await page.getByRole("button", { name: "Open menu" }).click();
    const nav = page.getByRole("navigation", { name: "Main", exact: true });
    await expect(nav.getByRole("link", { name: "Changelog" })).toHaveAttribute("aria-current", "page");
  });
});

test.describe("Build faster", () => {
  test("is in the header, in the hero and at the end", { tag: "@one-width" }, async ({ page }) => {
    await page.goto("/");
    const links = page.getByRole("link", { name: "Build faster" });
    await expect(links).toHaveCount(3);
    for (const link of await links.all()) {
      await expect(link).toHaveAttribute("href", application);
      await expect(link).toHaveAttribute("aria-keyshortcuts", "B");
    }
  });

  test(
    "works with the key B, pressed before the client has loaded",
    { tag: "@one-width" },
    async ({ page }) => {
      await page.goto("/");
      await page.keyboard.press("b");
      await page.waitForURL(`**${application}/sign-in**`);
    },
  );

  test("keeps out of text fields", { tag: "@one-width" }, async ({ page }) => {
    await page.goto("/status");
    await hydrate(page);
    await page.evaluate(() => {
      const field = document.createElement("input");
      field.id = "field";
      document.querySelector("main")?.append(field);
    });
    await page.locator("#field").pressSequentially("bb");
    await expect(page.locator("#field")).toHaveValue("bb");
    expect(new URL(page.url()).pathname).toBe("/status");
  });

  test(
    "can be switched off in the footer: the key does nothing and is not shown",
    { tag: "@one-width" },
    async ({ page }) => {
      await page.goto("/");
      const toggle = page.getByRole("switch", { name: /Keyboard shortcuts/ });
      await toggle.click();
      await expect(toggle).toHaveAttribute("aria-checked", "false");
      const hero = page.getByRole("main").getByRole("link", { name: "Build faster" }).first();
      await expect(hero).not.toHaveAttribute("aria-keyshortcuts");
      await expect(hero.locator("kbd")).toBeHidden();
      await page.getByRole("heading", { level: 1 }).click();
      await page.keyboard.press("b");
      await toggle.click();
      await expect(hero).toHaveAttribute("aria-keyshortcuts", "B");
      expect(new URL(page.url()).pathname).toBe("/");
    },
  );
});

test("the community chat is not shown while the site names none", { tag: "@one-width" }, async ({ page }) => {
  await page.goto("/");
  const band = page.getByRole("region", { name: "Community and trust" });
  await expect(band.getByText("There is no chat yet.")).toBeVisible();
  await expect(page.getByText(/\d online/)).toHaveCount(0);
  await expect(page.locator("[data-online]")).toHaveCount(0);
});
