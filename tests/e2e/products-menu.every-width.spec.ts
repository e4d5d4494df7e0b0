/**
 * The header's "Products", on every page and at both widths:
 * 1. a menu with the six products: a panel on a wide screen, a group of the phone's menu; without JavaScript too;
 * 2. Esc and a press outside close the panel, and Esc gives the focus back; the keyboard goes from the button into it;
 * 3. the open product is marked in it; 4. axe finds nothing while it is open.
 */
import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";

const products = ["Container builds", "Registry", "CI runners", "Cache", "Agents", "Managed on AWS"];
const pages = ["/", "/registry", "/no-such-page", "/docs/cache/overview"];

const menu = (page: Page) => page.getByRole("group", { name: "Products" });
const open = (page: Page, isMobile: boolean) =>
  page
    .getByRole("banner")
    .getByRole("button", { name: isMobile ? "Open menu" : "Products" })
    .click();

// The missing page is reported in the console too.
test.use({ expectedErrors: /404 \(Not Found\)/ });

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  test("the six products from each kind of page", async ({ page, isMobile, request }) => {
    for (const path of pages) {
      await page.goto(path);
      await expect(menu(page), path).toBeHidden();
      await open(page, isMobile);
      const links = menu(page).getByRole("link");
      await expect(links, path).toContainText(products);
      for (const link of await links.all()) await expect(link, path).toBeVisible();
    }
    for (const link of await menu(page).getByRole("link").all())
      expect((await request.get((await link.getAttribute("href")) ?? "-")).status()).toBe(200);
  });
});

test("on a phone the products stand below their name, each large enough for a thumb", async ({
  page,
  isMobile,
}) => {
  test.skip(!isMobile, "a wide screen has the panel");
  await page.goto("/docs/cache/overview");
  await open(page, isMobile);
  await expect(menu(page)).toBeVisible();
  const heights = await menu(page)
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  await menu(page).getByRole("link", { name: "Registry" }).click();
  await expect(page).toHaveURL("/registry");
});

// A phone has the group.
test.describe("the panel", { tag: "@one-width" }, () => {
  for (const path of ["/trust", "/docs/cache/overview"])
    test(`closes with Esc and with a press outside, on ${path}`, async ({ page }) => {
      await page.goto(path);
      const button = page.getByRole("button", { name: "Products" });
      await button.focus();
      await page.keyboard.press("Enter");
      await expect(menu(page)).toBeVisible();
      await page.keyboard.press("Tab");
      await expect(menu(page).getByRole("link").first()).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(menu(page)).toBeHidden();
      await expect(button).toBeFocused();
      await button.click();
      await expect(menu(page)).toBeVisible();
      await page.mouse.click(900, 600);
      await expect(menu(page)).toBeHidden();
    });

  test("stands below its button", async ({ page }) => {
    await page.goto("/docs");
    const button = page.getByRole("button", { name: "Products" });
    await button.click();
    await expect(menu(page)).toBeVisible();
    const [above, panel] = [await button.boundingBox(), await menu(page).boundingBox()];
    expect(Math.abs((panel?.x ?? -99) - (above?.x ?? 0))).toBeLessThanOrEqual(4);
  });

  test("says of each product what it is, outside the documentation", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("button", { name: "Products" }).click();
    await expect(menu(page).getByRole("link", { name: "CI runners" })).toContainText(
      "One machine for one job",
    );
  });
});

test("the open product is marked", async ({ page, isMobile }) => {
  await page.goto("/cache");
  await open(page, isMobile);
  await expect(menu(page).getByRole("link", { name: /^Cache/ })).toHaveAttribute("aria-current", "page");
  await expect(menu(page).locator("[aria-current]")).toHaveCount(1);
});

for (const path of ["/", "/docs"])
  test(`axe finds nothing on ${path} while it is open`, async ({ page, isMobile }) => {
    await page.goto(path);
    await open(page, isMobile);
    await expect(menu(page)).toBeVisible();
    await expectAccessible(page, { include: ".site-head" });
  });
