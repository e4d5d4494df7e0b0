/**
 * Work without a mouse, and the way back.
 *
 * 1. Keys go to places, start the page's actions and list themselves; in fields and dialogs they are letters; turned
 *    off they do nothing.
 * 2. The command menu finds a project by its name or the first letters of its id, opens it, remembers it, offers its
 *    actions, and runs what the page offers; the focus comes back when it is closed. Letters typed before its code has
 *    loaded are in its field, and are not keys of the page.
 * 3. `>` and `?` limit it; a search of the documentation that fails says so in its group.
 * 4. Back and forward restore a long table: its search, its order, its scroll position and its focus, also after a
 *    reload.
 * 5. While a secret is not copied, links, back and closing the tab ask before they leave, and the answer decides: the
 *    page stays with its secret, or the move is made and the secret is gone.
 * 6. On a Mac the keys have the names of its keyboard.
 * 7. Esc that is pressed twice, before the browser has gone back, closes a dialog and leaves its page open.
 * 8. A link that is followed while a search is still being typed leads to its page, however late the next page comes.
 */
import type { Page } from "@playwright/test";
import { ACME, expect, PROJECTS, test } from "./acme.ts";

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
  await expect(field).toBeFocused();
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

test("2. what is typed before the command menu is there", async ({ page, acme }) => {
  let deliver = () => {};
  const asked = new Promise<void>((resolve) => (deliver = resolve));
  await page.route(/\/command-menu-[\w-]+\.js$/, async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto(acme.at("projects"));
  await page.getByRole("textbox", { name: "Filter projects" }).focus();
  await page.keyboard.press("Control+K");
  await page.keyboard.type("nworkk");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("er");
  deliver();
  await expect(page.getByRole("combobox")).toHaveValue("nworker");
  await expect(page.getByRole("combobox")).toBeFocused();
  await expect(page.getByRole("dialog")).toHaveCount(1);
  await expect(page).toHaveURL(acme.at("projects"));
  await page.keyboard.press("Home");
  await page.keyboard.press("Delete");
  await expect(page.getByRole("option").first()).toContainText("worker");
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
  acme.fill((records) => ({ ...records, projects: [...(records["projects"] ?? []), ...manyProjects()] }));
  await page.goto(acme.at("projects"));
  const search = page.getByRole("textbox", { name: "Filter projects" });
  await search.fill("lot-");
  await expect(page).toHaveURL(/\?q=lot-$/);
  await page.getByRole("button", { name: "Project", exact: true }).click();
  await expect(page).toHaveURL(/\?q=lot-&sort=-name$/);
  await expect(page.getByRole("rowheader").first()).toContainText("lot-299");
  await page.evaluate(() => scrollTo(0, 5000));
  const link = page.getByRole("link", { name: "lot-165", exact: true });
  await link.focus();
  const place = await page.evaluate(() => scrollY);
  expect(place).toBeGreaterThan(4000);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "lot-165" })).toBeFocused();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
  await page.goBack();
  await expect(link).toBeFocused();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);
  await page.reload();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);
  await expect(link).toBeInViewport();
  await expect(search).toHaveValue("lot-");
  await expect(page.getByRole("columnheader", { name: "Project" })).toHaveAttribute(
    "aria-sort",
    "descending",
  );
  await page.goForward();
  await expect(page.getByRole("heading", { level: 1, name: "lot-165" })).toBeVisible();
});

/** `lot-000` to `lot-299`. */
const manyProjects = () =>
  Array.from({ length: 300 }, (_, index) => ({
    id: `prj_${String(index).padStart(10, "0")}`,
    organization_id: ACME.id,
    name: `lot-${String(index).padStart(3, "0")}`,
    builder_size: 4,
    cache_size_bytes: 1024 ** 3,
    retention_days: 14,
    created_at: Date.now(),
    revision: 1,
  }));

test("5. leaving without the secret", async ({ page, acme }) => {
  await page.goto(acme.at("projects"));
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByRole("link", { name: "Settings" }).click();
  await main.getByRole("link", { name: "Tokens" }).click();
  await page.getByRole("button", { name: /^New token/ }).click();
  const dialog = page.getByRole("dialog", { name: "New token" });
  await dialog.getByLabel("Name").fill("release script");
  await dialog.getByRole("button", { name: "Create the token" }).click();
  const secret = page.getByLabel("Secret", { exact: true });
  await expect(secret).toHaveText(/^mr_/);
  await expect(dialog).toBeHidden();

  const question = page.getByRole("alertdialog", { name: "Leave without the secret?" });
  const leave = [
    () => main.getByRole("link", { name: "Usage" }).click(),
    () => page.goBack(),
    () => page.keyboard.type("go"),
  ];
  for (const move of leave) {
    await move();
    await expect(question.getByRole("button", { name: "Stay here" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(question).toBeHidden();
    await expect(page).toHaveURL(acme.at("settings/tokens"));
    await expect(secret).toHaveText(/^mr_/);
  }
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const browsers = await asked;
  expect(browsers.type()).toBe("beforeunload");
  await browsers.dismiss();
  await page.goBack();
  await question.getByRole("button", { name: "Leave without it" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Members" })).toBeFocused();
  await page.goForward();
  await expect(page.getByRole("rowheader", { name: /^release script/ })).toBeVisible();
  await expect(secret).toHaveCount(0);
});

test("6. the keys of a Mac", async ({ page, acme }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "platform", { value: "MacIntel" }));
  await page.goto(`${acme.origin}/app/me`);
  await expect(page.getByText("act without ⌘.")).toBeVisible();
  await page.keyboard.press("Meta+k");
  await expect(page.getByRole("dialog").getByText("⌘ ↵")).toBeVisible();
  await expect(page.getByText(/Ctrl/)).toHaveCount(0);
});

/** How often the page has asked the browser to go back. */
const goesBack = (page: Page) => page.evaluate(() => (window as unknown as { moves: number }).moves);

test("7. Esc twice", async ({ page, acme }) => {
  await page.addInitScript(() => {
    const go = history.go.bind(history);
    const counted = Object.assign(window, { moves: 0 });
    history.go = (delta) => {
      counted.moves += 1;
      go(delta);
    };
  });
  await page.goto(acme.at("settings/tokens"));
  const dialog = page.getByRole("dialog", { name: "New token" });
  const openings = [
    () => page.getByRole("button", { name: /^New token/ }).click(),
    // Going forward leads to the dialog again.
    () => page.goForward(),
  ];
  for (const [index, open] of openings.entries()) {
    await open();
    await expect(dialog.getByLabel("Name")).toBeFocused();
    await page.evaluate(() => {
      for (let count = 0; count < 2; count += 1)
        document.activeElement?.dispatchEvent(
          new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }),
        );
    });
    await expect(dialog).toBeHidden();
    expect(await goesBack(page)).toBe(index + 1);
    await expect(page).toHaveURL(acme.at("settings/tokens"));
  }
});

test("8. away while a search is typed", async ({ page, acme }) => {
  await page.clock.install();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/assets\/usage-/, async (route) => {
    await held;
    await route.fallback();
  });
  await page.goto(acme.at("projects"));
  await expect(page.getByRole("rowheader")).toHaveCount(3);
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole("textbox", { name: "Filter projects" }).fill("wor");
  // The letters are applied; the address follows a little later.
  await page.clock.runFor(100);
  await expect(page.getByRole("rowheader")).toHaveCount(1);
  await expect(page).toHaveURL(acme.at("projects"));
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Usage" }).click();
  await expect(page).toHaveURL(acme.at("usage"));
  await page.clock.runFor(1000);
  await expect(page).toHaveURL(acme.at("usage"));
  release();
  await page.clock.resume();
  await expect(page.getByRole("heading", { level: 1, name: "Usage" })).toBeVisible();
  await expect(page).toHaveURL(acme.at("usage"));
});
