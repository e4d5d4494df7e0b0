/**
 * Work without a mouse, and the way back.
 *
 * 1. Keys go to places, begin the page's actions and list themselves; in fields and dialogs they are letters; turned off
 *    they do nothing.
 * 2. The command menu finds a project by its name or the first letters of its id, opens it, remembers it, offers its
 *    actions, and runs what the page offers; the focus comes back when it is closed.
 * 3. `>` and `?` limit it; a search of the documentation that fails says so in its group.
 * 4. Back and forward bring back what was scrolled and what had the focus, also after a reload.
 */
import { expect, test } from "./acme.ts";
import { PROJECTS } from "./acme.ts";

test("1. keys", async ({ page, acme }) => {
  await page.goto(acme.at());
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await expect(page.getByRole("heading", { level: 1, name: "Projects" })).toBeFocused();
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "New project" });
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("gu?n");
  await expect(dialog.getByLabel("Name")).toHaveValue("gu?n");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await page.keyboard.press("?");
  const list = page.getByRole("dialog", { name: "Keys" });
  await expect(list.getByText("New project")).toBeVisible();
  await expect(list.getByText("Search this page")).toBeVisible();
  await list.getByRole("button", { name: "Single keys off" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { level: 1, name: "Projects" })).toBeFocused();
  await page.keyboard.press("n");
  await page.keyboard.press("?");
  await page.keyboard.press("Control+K");
  await expect(page.getByRole("combobox", { name: "Search or run" })).toBeFocused();
  await expect(page.getByRole("dialog")).toHaveCount(1);
});

test("2. the command menu", async ({ page, acme, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(acme.at("settings/tokens"));
  await expect(page.getByRole("heading", { level: 1, name: "Tokens" })).toBeVisible();
  const opener = page.getByRole("button", { name: "Search or run" });
  await opener.focus();
  await page.keyboard.press("Control+K");
  const field = page.getByRole("combobox");
  await expect(field).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(opener).toBeFocused();
  await page.keyboard.press("Control+K");
  await page.keyboard.type(PROJECTS.worker.slice(0, 6));
  await expect(page.getByRole("option").first()).toContainText("worker");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(acme.at("projects/worker"));
  await expect(page.getByRole("heading", { level: 1, name: "worker" })).toBeFocused();
  await page.keyboard.press("Control+K");
  await expect(page.getByRole("option").first()).toContainText("worker");
  await page.keyboard.press("Tab");
  await page.getByRole("option", { name: /^Copy the id/ }).click();
  await expect(page.getByRole("status").getByText(`Copied ${PROJECTS.worker}`)).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(PROJECTS.worker);
  await page.keyboard.press("Control+K");
  await page.keyboard.type("web");
  const opened = context.waitForEvent("page");
  await page.keyboard.press("Control+Enter");
  await expect(await opened).toHaveURL(acme.at("projects/web"));
  await page.goto(acme.at("projects"));
  await expect(page.getByRole("link", { name: "worker" })).toBeVisible();
  await page.keyboard.press("Control+K");
  await page.getByRole("option", { name: /^New project/ }).click();
  await expect(page.getByRole("dialog", { name: "New project" })).toBeVisible();
});

test.describe("with a failing search", () => {
  test.use({ expectedErrors: /status of 503/ });

  test("3. commands and documentation", async ({ page, acme }) => {
    await page.goto(acme.at("projects"));
    await expect(page.getByRole("link", { name: "worker" })).toBeVisible();
    await page.keyboard.press("Control+K");
    const field = page.getByRole("combobox");
    await field.fill("> web");
    await expect(page.getByRole("option")).toHaveCount(0);
    await field.fill(">sign");
    await expect(page.getByRole("option")).toHaveText([/^Sign out/, /^Sign out everywhere/]);
    await field.fill("? layer cache");
    await expect(page.getByRole("option").first()).toContainText(/cache/i);
    await expect(page.getByRole("group")).toHaveCount(1);
    await page.route("**/multi-search", (route) => route.fulfill({ status: 503, json: {} }));
    await field.fill("web");
    await expect(page.getByRole("group", { name: "Documentation" })).toContainText("answered 503");
    await expect(page.getByRole("option", { name: /^web/ })).toBeVisible();
  });
});

test("4. the way back", async ({ page, acme }) => {
  await page.setViewportSize({ width: 1440, height: 340 });
  await page.goto(acme.at("projects"));
  const link = page.getByRole("link", { name: "worker", exact: true });
  await link.scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 60);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
  await link.focus();
  const place = await page.evaluate(() => scrollY);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "worker" })).toBeFocused();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(link).toBeFocused();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);
  await page.reload();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);
  await page.goForward();
  await expect(page.getByRole("heading", { level: 1, name: "worker" })).toBeVisible();
});
