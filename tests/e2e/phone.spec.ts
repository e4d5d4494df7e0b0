/** The specification's section 2, "Mobile", and section 4's sidebar, at 390x844. */
import { expect, test } from "./fixtures.ts";

test("a 'Documentation' toggle button opens and closes the sidebar", async ({ docs, page }) => {
  await docs.openHydrated();
  const toggle = page.getByRole("button", { name: "Documentation" });
  await expect(docs.tree).toBeHidden();
  await expect(toggle).toHaveAttribute("aria-expanded", "false");
  await toggle.click();
  await expect(docs.tree).toBeVisible();
  await expect(toggle).toHaveAttribute("aria-expanded", "true");
  await toggle.click();
  await expect(docs.tree).toBeHidden();
});

test("the sidebar closes whenever the pathname changes", async ({ docs, page }) => {
  await docs.openHydrated();
  await page.getByRole("button", { name: "Documentation" }).click();
  await docs.link("FAQs").click();
  await expect(page).toHaveURL("/docs/faq");
  await expect(docs.tree).toBeHidden();
  await page.getByRole("button", { name: "Documentation" }).click();
  await expect(docs.tree).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL("/docs");
  await expect(docs.tree).toBeHidden();
});

test("the sidebar opens with the current link in its middle", async ({ docs, page }) => {
  await docs.openHydrated("/docs/managed/overview/backup");
  await page.getByRole("button", { name: "Documentation" }).click();
  const current = docs.tree.locator("[aria-current]");
  await expect(current).toHaveText("Backup");
  await expect(current).toBeInViewport({ ratio: 1 });
});

test("Esc closes the sidebar", async ({ docs, page }) => {
  await docs.openHydrated();
  await page.getByRole("button", { name: "Documentation" }).click();
  await expect(docs.tree).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(docs.tree).toBeHidden();
});

test("the toggle works when it is tapped before the client has loaded", async ({ docs, page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/assets\/(?!boot-)[^/]*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await docs.open();
  await page.getByRole("button", { name: "Documentation" }).click();
  release();
  await expect(docs.tree).toBeVisible();
});

test("every target is at least 44 px high, and the search text 16 px so that no browser zooms", async ({
  docs,
  page,
}) => {
  await docs.openHydrated();
  await page.getByRole("button", { name: "Documentation" }).click();
  await expect(docs.tree).toBeVisible();
  const heights = await docs.tree
    .locator("a:visible, button:visible")
    .evaluateAll((targets) => targets.map((target) => target.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  expect(
    await docs.searchBox.evaluate((input) => parseFloat(getComputedStyle(input).fontSize)),
  ).toBeGreaterThanOrEqual(16);
});

test("search works on the phone", async ({ docs, page }) => {
  await docs.openHydrated();
  await docs.searchBox.fill("turborepo");
  await docs.hits().first().click();
  await expect(page).toHaveURL(/\/docs\/cache\/reference\/turbo/);
  await expect(docs.article).toBeVisible();
});
