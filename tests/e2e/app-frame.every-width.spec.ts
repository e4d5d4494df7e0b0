/**
 * The frame around every screen, on a wide screen and on a phone.
 *
 * 1. Places, the current place, the person: by role and name, with one heading. On a phone they are a sheet that takes
 *    the focus, gives it back on Esc and goes away with a navigation.
 * 2. With the keyboard alone: another organization is chosen, the place stays; members see no owners' place.
 * 3. An organization is made, renamed and deleted from the switcher; the first one stays, and the reason is shown.
 * 4. axe finds nothing in the frame, an open menu, an open dialog and the command menu, in both themes.
 * 5. At 320 pixels, and with text twice as large, nothing scrolls sideways; headings grow like all text, and no place of the
 *    rail is cut or covers another.
 * 6. A session that ends keeps the page behind a question; a server that does not answer is reported, and asked again.
 */
import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { askEverything, expect, test } from "./acme.ts";
import { overflowOf } from "./overflow.ts";
import { tryAgain } from "./try-again.ts";

const SWITCH = /switch organization$/;

test.beforeEach(async ({ page }) => {
  // A menu that still appears has not reached its place.
  await page.emulateMedia({ reducedMotion: "reduce" });
});

/** Opens the sheet of a phone. */
async function openPlaces(page: Page) {
  // The frame is drawn when the heading is there; before, the button is missing at every width.
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const toggle = page.getByRole("button", { name: "Navigation" });
  if (await toggle.isVisible()) await toggle.click();
}

test("1. places", async ({ page, acme }) => {
  await page.goto(acme.at("settings/tokens"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Tokens");
  const toggle = page.getByRole("button", { name: "Navigation" });
  const isPhone = await toggle.isVisible();
  if (isPhone) {
    await toggle.click();
    await expect(page.getByRole("link", { name: "Tokens" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(toggle).toBeFocused();
    await expect(page.getByRole("navigation", { name: "Main" })).toBeHidden();
    await toggle.click();
  }
  const main = page.getByRole("navigation", { name: "Main" });
  await expect(main.getByRole("link")).toHaveText([
    "Overview",
    "Builds",
    "Projects",
    "Images",
    "Cache",
    "Builders",
    "Usage",
    "Settings",
    "Members",
    "Tokens",
    "Trust relationships",
    "Audit log",
    "Documentation",
  ]);
  await expect(main.getByRole("link", { name: "Tokens" })).toHaveAttribute("aria-current", "page");
  await main.getByRole("link", { name: "Usage" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Usage" })).toBeFocused();
  await expect(page).toHaveTitle(/^Usage/);
  if (isPhone) await expect(main).toBeHidden();
});

test("2. organizations", async ({ page, acme, context }) => {
  await page.goto(acme.at("settings/members"));
  await openPlaces(page);
  const button = page.getByRole("button", { name: SWITCH });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem").first()).toBeFocused();
  await expect(page.getByRole("menuitem", { name: "acme owner" })).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem").first()).toBeFocused();
  await page.keyboard.type("acme-l");
  await expect(page.getByRole("menuitem", { name: "acme-labs" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${acme.origin}/app/acme-labs/settings/members`);
  await openPlaces(page);
  await expect(page.getByRole("link", { name: "Audit log" })).toBeHidden();
  await acme.enter(context, "ben");
  await page.goto(acme.at());
  await openPlaces(page);
  await expect(
    page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Documentation" }),
  ).toHaveAttribute("href", "/docs");
});

test("3. a question that is left leaves nothing in the history", async ({ page, acme, isMobile }) => {
  await page.goto(acme.at("usage"));
  await openPlaces(page);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Projects" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Projects" })).toBeFocused();
  // A sheet that is still open would be closed by the next press.
  if (isMobile) await expect(page.getByRole("navigation", { name: "Main" })).toBeHidden();
  await openPlaces(page);
  await page.getByRole("button", { name: SWITCH }).click();
  await page.getByRole("menuitem", { name: "Rename acme" }).click();
  const question = page.getByRole("dialog", { name: "Rename acme" });
  await expect(question).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(page).toHaveURL(acme.at("projects"));
  await page.goBack();
  await expect(page).toHaveURL(acme.at("usage"));
});

test.describe("with a refusal", () => {
  // 404: requests that were under way when the organization was deleted.
  test.use({ expectedErrors: /status of (400|401|404|412|500|503)/ });

  test("3. making, renaming, deleting", { tag: "@one-width" }, async ({ page, acme }) => {
    await page.goto(acme.at("projects?do=new-organization"));
    await page.getByRole("dialog", { name: "New organization" }).getByLabel("Name").fill("labs-2");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`${acme.origin}/app/labs-2`);
    await openPlaces(page);
    // The address changes before the page: the switch has the new name.
    await page.getByRole("button", { name: "labs-2, switch organization" }).click();
    await page.getByRole("menuitem", { name: "Rename labs-2" }).click();
    const rename = page.getByRole("dialog", { name: "Rename labs-2" });
    await rename.getByLabel("Name").fill("labs-3");
    await rename.getByRole("button", { name: "Rename" }).click();
    await expect(page).toHaveURL(`${acme.origin}/app/labs-3`);
    await page.goto(`${acme.origin}/app/labs-3?do=delete-organization`);
    const question = page.getByRole("alertdialog", { name: "Delete the organization labs-3?" });
    await expect(question.getByRole("button", { name: "Delete organization" })).toBeDisabled();
    await question.getByLabel(/to confirm/).fill("labs-3");
    await question.getByRole("button", { name: "Delete organization" }).click();
    await expect(page.getByRole("status").getByText("Deleted labs-3")).toBeVisible();
    await expect(page).toHaveURL(/\/app\/acme(?:-labs)?$/);
    await page.goto(acme.at("?do=delete-organization"));
    await page.getByLabel(/to confirm/).fill("acme");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alertdialog").getByRole("alert")).toContainText("first organization");
  });

  test("6. an ended session, a silent server", { tag: "@one-width" }, async ({ page, acme, context }) => {
    // Refused events would already reveal the end of the session.
    const stream = page.waitForResponse(/\/events(?:\?|$)/);
    await page.goto(acme.at("projects"));
    await expect(page.getByRole("link", { name: "worker" })).toBeVisible();
    await stream;
    await context.clearCookies();
    await page.getByRole("button", { name: "New project" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("late");
    await page.keyboard.press("Enter");
    const question = page.getByRole("alertdialog", { name: "Your session has ended" });
    await expect(question.getByRole("link", { name: "Sign in" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(question).toBeVisible();
    await acme.enter(context, "ada");
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only its own origin
    await page.evaluate(() => new BroadcastChannel("millrace-session").postMessage("in"));
    await expect(question).toBeHidden();

    await askEverything(page);
    await page.route("**/auth/state", (route) =>
      route.fulfill({ status: 503, json: { code: "unavailable", message: "database is locked" } }),
    );
    await page.goto(acme.at("projects"));
    const alert = page.getByRole("alert").filter({ hasText: "cannot be read" });
    await expect(alert).toContainText(/database is locked/i);
    await page.unroute("**/auth/state");
    await tryAgain(alert);
    await expect(page.getByRole("heading", { level: 1, name: "Projects" })).toBeVisible();
  });
});

/** Each has the part above the frame, and the way to open it. */
const OVER: { name: string; at: string; open: (page: Page) => Promise<void> }[] = [
  { name: "nothing", at: "projects", open: openPlaces },
  {
    name: "a menu",
    at: "projects",
    open: async (page) => {
      await openPlaces(page);
      await page.getByRole("button", { name: SWITCH }).click();
      await expect(page.getByRole("menu")).toBeVisible();
    },
  },
  {
    name: "a dialog",
    at: "projects?do=delete-organization",
    open: (page) => expect(page.getByRole("alertdialog")).toBeVisible(),
  },
  {
    name: "the command menu",
    at: "projects",
    open: async (page) => {
      await page.keyboard.press("Control+K");
      await page.getByRole("combobox", { name: "Search or run" }).fill("to");
      await expect(page.getByRole("option", { name: /^Tokens/ })).toBeVisible();
    },
  },
];

test("4. and 5. axe, and narrow screens", async ({ page, acme, isMobile }) => {
  test.setTimeout(60_000);
  const size = page.viewportSize() ?? { width: 1440, height: 900 };
  for (const { name, at, open } of OVER)
    await test.step(name, async () => {
      await page.setViewportSize(size);
      await page.goto(acme.at(at));
      await expect(page.getByRole("link", { name: "worker", includeHidden: true })).toBeVisible();
      await open(page);
      await expectAccessible(page);
      // On a wide screen it would be the same page.
      if (!isMobile) return;
      await page.setViewportSize({ width: 320, height: 640 });
      await expectNothingSideways(page);
      await page.addStyleTag({ content: "html { font-size: 200% }" });
      await expectNothingSideways(page);
    });
});

test("5. large letters", async ({ page, acme, isMobile }) => {
  await page.goto(acme.at("settings/trust"));
  await openPlaces(page);
  const sizeOfTitle = () =>
    page.locator("h1").evaluate((heading) => Number.parseFloat(getComputedStyle(heading).fontSize));
  const usual = await sizeOfTitle();
  await page.addStyleTag({ content: "html { font-size: 200% }" });
  expect(await sizeOfTitle()).toBe(2 * usual);
  const cut = await page
    .getByRole("navigation", { name: "Main" })
    .locator("a, button")
    .evaluateAll((parts) =>
      parts
        .filter(
          (part) => part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1,
        )
        .map(({ textContent }) => textContent),
    );
  expect(cut).toEqual([]);
  if (isMobile) return;
  // A window of half the width, where nothing is laid out for phones yet.
  await page.setViewportSize({ width: 640, height: 900 });
  await page.goto(acme.at("builds"));
  await expect(page.locator("h1")).toHaveText("Builds");
  await page.addStyleTag({ content: "html { font-size: 200% }" });
  await expectNothingSideways(page);
});

const expectNothingSideways = (page: Page) => expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
