/**
 * "My setup", chosen once:
 * 1. In the dialog, by keyboard: the saved setup is in the address and remembered; tabs on later pages, copied Markdown
 *    and the order of hits follow it; /your-data shows and erases it. Unknown values in an address change nothing.
 * 2. An address with a setup: the page arrives with its tabs, later pages follow it, the remembered setup stays; the
 *    form above the article keeps it. A pressed tab overrides both.
 * 3. Without JavaScript the same control leads to the form, the form to the address, and results keep it; filters keep
 *    the setup, and a new query keeps both.
 * 4. axe finds nothing in the dialog and the form, in both themes; both fit the screen.
 */
import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { overflowOf } from "./overflow.ts";

const installation = "/docs/cli/installation";
const node = "/docs/container-builds/how-to-guides/optimal-dockerfiles/node";
const tab = (page: Page, name: string) =>
  page.getByRole("tab", { name, exact: true, selected: true }).first();
const stored = (page: Page) =>
  page.evaluate(() => [localStorage, sessionStorage].map((storage) => storage.getItem("tabs")));
const panelOf = (page: Page) => page.getByRole("article").locator("details").filter({ hasText: "My setup" });

test("(1, 4) is chosen in the dialog, followed and erased", async ({ docs, page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await docs.openHydrated(`${installation}?setup=bun,__proto__`);
  await expect(tab(page, "npm")).toBeVisible();
  await expect(panelOf(page)).toHaveCount(0);

  const control = page.getByRole("link", { name: "My setup" }).first();
  const dialog = page.getByRole("dialog", { name: "My setup" });
  await control.focus();
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("combobox")).toHaveCount(4);
  await expectAccessible(page, { include: "dialog" });
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(control).toBeFocused();

  await control.click();
  await dialog.getByLabel("Package manager").selectOption("pnpm");
  await dialog.getByLabel("CI provider").selectOption({ label: "Jenkins" });
  await dialog.getByRole("button", { name: "Copy link" }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toMatch(/\/docs\/cli\/installation\?setup=jenkins,pnpm$/);
  await dialog.getByRole("button", { name: "Save my setup" }).click();
  await page.waitForURL(/\?setup=jenkins,pnpm$/);
  await expect(tab(page, "pnpm")).toBeVisible();
  await expect(tab(page, "bash")).toBeVisible();

  // Another page, without the address. A page without tabs has the control in the menu, which has then closed.
  await docs.openHydrated("/docs/faq");
  await page.getByRole("button", { name: "More page actions" }).click();
  await page.getByRole("menuitem", { name: "My setup" }).click();
  await expect(dialog.getByLabel("Package manager")).toHaveValue("pnpm");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("button", { name: "More page actions" })).toBeFocused();
  await docs.openHydrated(node);
  await expect(tab(page, "pnpm")).toBeVisible();
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toContain("pnpm install --frozen-lockfile");
  expect(await copied()).not.toContain("yarn install --immutable");
  await docs.searchBox.fill("the pipeline");
  await expect(docs.hits().first()).toHaveAttribute("href", /reference\/jenkins#the-pipeline/);

  await docs.openHydrated("/your-data");
  await expect(page.getByText("You chose Jenkins and pnpm.")).toBeVisible();
  await page.getByRole("button", { name: "Erase my setup" }).click();
  await expect(page.getByText("You have not chosen a setup.")).toBeVisible();
  await expect.poll(() => stored(page)).toEqual([null, null]);
});

test("(2, 4) an address has its own, which can be kept", async ({ docs, page }) => {
  await docs.openHydrated(installation);
  await page.getByRole("tab", { name: "yarn" }).first().click();
  await page.getByRole("tab", { name: "zsh" }).click();
  const remembered = '{"package-manager":"yarn","shell":"zsh"}';
  await expect.poll(() => stored(page)).toEqual([remembered, null]);

  await docs.open(`${installation}?setup=pnpm,arm64`);
  await expect(page.getByText("Shown for arm64 and pnpm.")).toBeVisible();
  await expect(tab(page, "pnpm")).toBeVisible();
  await expect(tab(page, "zsh")).toBeVisible();
  await docs.hydrate();
  await expect
    .poll(() => stored(page))
    .toEqual([remembered, '{"architecture":"arm64","package-manager":"pnpm"}']);
  await expect(tab(page, "pnpm")).toBeVisible();
  // Within the same visit, also after a page load.
  await docs.openHydrated(node);
  await expect(tab(page, "pnpm")).toBeVisible();
  await page.getByRole("tab", { name: "npm", exact: true }).first().click();
  await docs.openHydrated(installation);
  await expect(tab(page, "npm")).toBeVisible();

  await docs.openHydrated(`${installation}?setup=pnpm,arm64`);
  await page.getByText("Shown for arm64 and pnpm.").click();
  const form = page.locator("form").filter({ hasText: "Save my setup" });
  await expect(form.getByLabel("Shell")).toHaveValue("zsh");
  await expectAccessible(page, { include: "main" });
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await form.getByRole("button", { name: "Save my setup" }).click();
  await page.waitForURL(/\?setup=arm64,pnpm,zsh$/);
  await expect
    .poll(async () => JSON.parse((await stored(page))[0] ?? "null") as unknown)
    .toEqual({ architecture: "arm64", "package-manager": "pnpm", shell: "zsh" });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("(3) the control leads to the form, and the form to the address", async ({ docs, page }) => {
    await docs.open(installation);
    await page.getByRole("link", { name: "My setup" }).first().click();
    await page.getByRole("combobox", { name: "Package manager" }).selectOption("pnpm");
    await page.getByRole("combobox", { name: "CI provider" }).selectOption("jenkins");
    await page.getByRole("button", { name: "Save my setup" }).click();
    await page.waitForURL(/\/docs\/cli\/installation\?setup=jenkins,pnpm$/);
    const article = page.getByRole("article");
    await expect(article.getByText(/pnpm add -g \S+\/cli\/millrace\.tgz/)).toBeVisible();
    await expect(article.getByText(/yarn global add/)).toBeHidden();
    await docs.searchBox.fill("the pipeline");
    await docs.searchBox.press("Enter");
    await page.waitForURL(/setup=jenkins/);
    const hit = docs.results.getByRole("listitem").first();
    await expect(hit.getByRole("link")).toHaveAttribute("href", /jenkins#the-pipeline/);
  });

  test("(3) filters keep the setup, and other words both", { tag: "@one-width" }, async ({ docs, page }) => {
    const parameters = () => [...new URL(page.url()).searchParams].map((pair) => pair.join("="));
    const { results } = docs;
    const sections = results.locator(".hit-lvl0");
    await docs.open(`${installation}?setup=jenkins,pnpm&q=registry`);
    await results.locator("summary", { hasText: "Filter" }).click();
    await results.getByRole("link", { name: /^CLI \d/ }).click();
    await expect(sections.first()).toHaveText("CLI");
    expect(parameters()).toEqual(["setup=jenkins,pnpm", "q=registry", "section=CLI"]);
    await results.getByRole("link", { name: "Code", exact: true }).click();
    await expect(page).toHaveURL(/kind=code/);

    await docs.searchBox.fill("login");
    await docs.searchBox.press("Enter");
    await expect(page).toHaveURL(/q=login/);
    expect(parameters().toSorted()).toEqual(["kind=code", "q=login", "section=CLI", "setup=jenkins,pnpm"]);
    expect(new Set(await sections.allTextContents())).toEqual(new Set(["CLI"]));
    await results.getByRole("link", { name: "Clear filters" }).click();
    await expect(page).toHaveURL(/\?setup=jenkins%2Cpnpm&q=login$/);

    // A form with a choice for each part, and a search next to it.
    await docs.open("/docs?setup=jenkins&setup=pnpm&q=two+words&section=CLI&kind=code&kind=rows");
    await expect(page).toHaveURL("/docs?setup=jenkins,pnpm&q=two+words&section=CLI&kind=code&kind=rows");
  });
});
