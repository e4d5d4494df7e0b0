/** Nothing that is typed or clicked before the client has loaded is lost (decisions/001). */
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

/** Holds back the client, every JavaScript file but the boot script, until the returned function is called. */
async function holdClient(page: Page) {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/assets\/(?!boot-)[^/]*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

test("what was typed is searched for once the client runs", async ({ docs, page }) => {
  const release = await holdClient(page);
  await docs.open();
  await docs.searchBox.click();
  await docs.searchBox.pressSequentially("turborepo");
  await expect(docs.searchBox).toHaveValue("turborepo");
  release();
  await expect(docs.hits().first()).toContainText("/docs/cache/reference/turbo");
  await expect(docs.searchBox).toHaveValue("turborepo");
  await expect(docs.searchBox).toBeFocused();
});

test("a section folded by a click before the client runs is folded", async ({ docs, page }) => {
  const release = await holdClient(page);
  await docs.open();
  await docs.tree.getByRole("button", { name: "Registry" }).click();
  release();
  await expect(docs.tree.getByRole("button", { name: "Registry" })).toHaveAttribute("aria-expanded", "false");
});

test("a tab chosen before the client runs is shown", async ({ docs, page }) => {
  const release = await holdClient(page);
  await docs.open("/docs/container-builds/how-to-guides/optimal-dockerfiles/node");
  const tab = docs.article.getByRole("tab").nth(1);
  await tab.click();
  release();
  await expect(tab).toHaveAttribute("aria-selected", "true");
  // The next page shows it at once: nothing of the article changes when the client runs.
  await page.reload();
  await expect(tab).toHaveAttribute("aria-selected", "true");
  await expect(tab).toHaveAccessibleName(await docs.article.getByRole("tabpanel").first().evaluate(nameOf));
  expect(await page.evaluate(() => document.documentElement.dataset["hydrated"])).toBeUndefined();
});

/** The name that an element takes from the one that labels it. */
function nameOf(element: Element): string {
  const id = element.getAttribute("aria-labelledby") ?? "";
  return document.getElementById(id)?.textContent?.trim() ?? "";
}

test("the theme, copying and the search shortcut work without the client", async ({
  docs,
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await holdClient(page);
  await docs.open("/docs/container-builds/quickstart");
  await page.getByRole("button", { name: /^Switch to/ }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.keyboard.press("Control+k");
  await expect(docs.searchBox).toBeFocused();
  await docs.article.getByRole("button", { name: "Copy code" }).first().click();
  expect((await page.evaluate(() => navigator.clipboard.readText())).length).toBeGreaterThan(0);
});

test("a link clicked before the client runs loads the page", async ({ docs, page }) => {
  await holdClient(page);
  await docs.open();
  await docs.link("FAQs").click();
  await expect(page).toHaveURL("/docs/faq");
});

test("hydration leaves the page as it was: no message, no shift, the same article", async ({ docs }) => {
  await docs.open("/docs/cache/overview");
  const before = await docs.article.innerText();
  await docs.hydrate();
  expect(await docs.article.innerText()).toBe(before);
});

for (const late of ["manifest", "root", "your-data", "entry.client"])
  test(`the client starts once all of its files are there: ${late} last`, async ({ page }) => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(new RegExp(`/assets/${late}-[^/]*\\.js$`), async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/your-data");
    await page.dispatchEvent("body", "pointerover");
    // The file with most of the site's code, which another one brings with it, has come and has run.
    await page.waitForFunction(() =>
      performance.getEntriesByType("resource").some(({ name }) => /\/assets\/docs-[^/]*\.js$/.test(name)),
    );
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    expect(await page.evaluate(() => document.documentElement.dataset["hydrated"])).toBeUndefined();
    release();
    await page.waitForFunction(() => document.documentElement.dataset["hydrated"] === "true");
  });
