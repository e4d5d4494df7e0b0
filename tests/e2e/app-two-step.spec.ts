/**
 * Two-step sign-in on a real server with an empty folder, with an app's codes and authenticators of Chromium.
 * 1. An app is set up by its key: a wrong code is reported, the recovery codes are shown once and nowhere afterwards.
 * 2. A link for owners needs the second step; a code works once, a recovery code too. 3. Dangerous acts ask for
 *    confirmation, over their form: canceling loses nothing, confirming acts once, and there is no second question.
 *    Nothing is lost if the question comes late, or not at all, or the session ends during it.
 * 4. So does a terminal's login. 5. A passkey that verifies its person is a second step, other passkeys are not.
 * 6. An owner sees who has it on, and turns it off for a member. 7. It is turned off again.
 * Everywhere: axe finds nothing in either theme, 320 px are enough.
 */
import type { Locator, Page } from "@playwright/test";
import { addVirtualAuthenticator } from "../virtual-authenticator.ts";
import { codeOf, forgetUsedCodes, setUpApp } from "./authenticator-app.ts";
import { expectAccessible } from "./axe.ts";
import {
  becomeOwner,
  closeServer,
  enterAsOwner,
  expect,
  type Server,
  signOut,
  test,
} from "./console-server.ts";
import { overflowOf } from "./overflow.ts";
import { placesWith } from "./places-with.ts";

// Each link for owners is printed by a process of its own.
test.describe.configure({ mode: "serial", timeout: 60_000 });
test.afterAll(closeServer);
test.use({ expectedErrors: /status of (400|401|403|404|429)|ERR_FAILED|dynamically imported module/ });

/** The key of the first owner's app, and the recovery codes that are left. */
let secret = "";
let recoveryCodes: string[] = [];

const section = (page: Page) => page.getByRole("region", { name: "Two-step sign-in" });
const identity = (page: Page) => page.getByRole("dialog", { name: "Confirm that it is you" });
const codeField = (scope: Page | Locator) => scope.getByLabel("Code from your app");

/** In both themes, and with little room. */
async function expectFine(page: Page) {
  await expectAccessible(page);
  const size = page.viewportSize() ?? { width: 1440, height: 900 };
  await page.setViewportSize({ width: 320, height: 720 });
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize(size);
}

async function leave(page: Page) {
  await signOut(page);
  await expect(page.getByRole("heading", { name: "Sign in", level: 1 })).toBeVisible();
}

async function openLink(page: Page, server: Server) {
  await page.goto(server.origin + server.makeOwnerLink());
  await page.getByRole("button", { name: "Sign in as Ada Okafor" }).click();
}

test("1. an app is set up", async ({ page, server, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await becomeOwner(page, server);
  await page.goto(`${server.origin}/app/me`);
  await expect(section(page)).toContainText("You have no passkey that verifies you.");
  await expectFine(page);
  await section(page).getByRole("button", { name: "Set up an app" }).click();
  const dialog = page.getByRole("dialog", { name: "Set up an authenticator app" });
  await expect(codeField(dialog)).toBeFocused();
  await expect(dialog.getByRole("img", { name: "QR code of the key" })).toBeVisible();
  secret = (await dialog.getByLabel("Key", { exact: true }).innerText()).replaceAll(/\s/g, "");
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  await dialog.getByRole("button", { name: "Copy the key" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await expectFine(page);
  await codeField(dialog).fill(codeOf(secret) === "000000" ? "111111" : "000000");
  await page.keyboard.press("Enter");
  await expect(codeField(dialog)).toHaveAttribute("aria-invalid", "true");
  await codeField(dialog).fill(codeOf(secret));
  await dialog.getByRole("button", { name: "Turn it on" }).click();
  await expect(dialog).toBeHidden();

  await expect(section(page).getByRole("heading", { name: /^Keep these recovery codes/ })).toBeFocused();
  recoveryCodes = await section(page).getByRole("listitem").allInnerTexts();
  expect(new Set(recoveryCodes).size).toBe(10);
  await expectFine(page);
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: /^Projects/ })
    .click();
  const question = page.getByRole("alertdialog", { name: "Leave without the recovery codes?" });
  await question.getByRole("button", { name: "Stay here" }).click();
  await section(page).getByRole("button", { name: "Copy the recovery codes" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(recoveryCodes.join("\n"));
  const download = page.waitForEvent("download");
  await section(page).getByRole("button", { name: "Download the recovery codes" }).click();
  expect((await download).suggestedFilename()).toBe("recovery-codes.txt");
  await section(page).getByRole("button", { name: "I have kept them" }).click();
  await expect(section(page)).toContainText("10 codes left");
  await expect(section(page).getByText("On", { exact: true })).toBeVisible();
  await expectFine(page);
  for (const text of [secret, ...recoveryCodes]) expect(await placesWith(page, text)).toEqual([]);
});

test("2. a link for owners, and the second step", async ({ page, server }) => {
  forgetUsedCodes(server);
  await openLink(page, server);
  await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
  await expect(page.getByText("Two-step sign-in is on for Ada Okafor.")).toBeVisible();
  await expectFine(page);
  // Half a sign-in gives no access.
  expect((await page.request.get(`${server.origin}/auth/two-step`)).status()).toBe(401);
  const code = codeOf(secret);
  await codeField(page).fill(code);
  await expect(page).toHaveURL(`${server.origin}/app/acme`);
  await leave(page);
  await openLink(page, server);
  await codeField(page).fill(code);
  await expect(codeField(page)).toHaveAttribute("aria-invalid", "true");
});

test("2. a recovery code", async ({ page, server }) => {
  const [used = ""] = recoveryCodes;
  await openLink(page, server);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill(` ${used.toLowerCase()} `);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${server.origin}/app/acme`);
  await leave(page);
  await openLink(page, server);
  await page.getByRole("button", { name: "Use a recovery code" }).click();
  await page.getByLabel("Recovery code").fill(used);
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Recovery code")).toHaveAttribute("aria-invalid", "true");
  recoveryCodes.shift();
});

test("3. a token, over its form", async ({ page, server }) => {
  forgetUsedCodes(server);
  await enterAsOwner(page, server);
  await page.goto(`${server.origin}/app/acme/settings/tokens?new=1`);
  const form = page.getByRole("dialog", { name: "New token" });
  await form.getByRole("radio", { name: /^Yours/ }).check();
  await form.getByLabel("Name").fill("deploy of the shop");
  const create = form.getByRole("button", { name: "Create the token" });
  await create.press("Enter");
  await expect(codeField(identity(page))).toBeFocused();
  await expect(identity(page)).toContainText("can turn two-step sign-in off for you");
  await expectFine(page);
  await page.keyboard.press("Escape");
  await expect(identity(page)).toBeHidden();
  await expect(form.getByRole("alert")).toContainText("you did not confirm that it is you");
  await expect(form.getByLabel("Name")).toHaveValue("deploy of the shop");
  await create.press("Enter");
  // A click outside the question, on the form below it, closes it.
  await expect(codeField(identity(page))).toBeFocused();
  await page.mouse.click(10, 500);
  await expect(identity(page)).toBeHidden();
  await expect(form.getByLabel("Name")).toHaveValue("deploy of the shop");

  await create.press("Enter");
  await codeField(identity(page)).pressSequentially(codeOf(secret));
  await expect(identity(page)).toBeHidden();
  await expect(form).toBeHidden();
  await expect(page.getByRole("region", { name: "deploy of the shop was created" })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "deploy of the shop" })).toHaveCount(1);
  await page.getByRole("button", { name: "I have copied it" }).click();
  // For a while there is no further question.
  await page.getByRole("button", { name: /^New token/ }).click();
  await form.getByRole("radio", { name: /^Yours/ }).check();
  await form.getByLabel("Name").fill("second");
  await create.click();
  await expect(page.getByRole("region", { name: "second was created" })).toBeVisible();
});

test("3. an invitation as a member, over its form", async ({ page, server }) => {
  forgetUsedCodes(server);
  await enterAsOwner(page, server);
  await page.goto(`${server.origin}/app/acme/settings/members?new=1`);
  const form = page.getByRole("dialog", { name: "Invite someone to acme" });
  await form.getByLabel("Mail, if you know it").fill("mei@acme.example");
  const invite = form.getByRole("button", { name: "Make a link" });
  await invite.press("Enter");
  await expect(codeField(identity(page))).toBeFocused();
  await expectFine(page);
  await page.keyboard.press("Escape");
  await expect(form.getByRole("alert")).toContainText("you did not confirm that it is you");
  await expect(form.getByLabel("Mail, if you know it")).toHaveValue("mei@acme.example");
  await invite.press("Enter");
  await codeField(identity(page)).pressSequentially(codeOf(secret));
  await expect(page.getByRole("region", { name: "A link for mei@acme.example was created" })).toBeVisible();
  await expect(form).toBeHidden();
  const invited = page.getByRole("row").filter({ hasText: "mei@acme.example" });
  await expect(invited).toHaveCount(1);
});

test("3. a cache's limit, in its row", async ({ page, server }) => {
  forgetUsedCodes(server);
  await enterAsOwner(page, server, true);
  const made = await page.request.post(`${server.origin}/api/millrace.v1.ProjectService/Create`, {
    data: { name: "web" },
    headers: { Origin: server.origin },
  });
  expect(made.status()).toBe(200);
  await enterAsOwner(page, server);
  await page.goto(`${server.origin}/app/acme/projects/web/settings`);
  const days = page.getByLabel("Unused layers go after");
  const former = await days.inputValue();
  await days.selectOption("7");
  const row = page.locator("form").filter({ has: days });
  await row.getByRole("button", { name: /^Save/ }).click();
  await expect(codeField(identity(page))).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(row.getByRole("alert")).toContainText("you did not confirm that it is you");
  await expect(days).toHaveValue("7");
  expect(former).not.toBe("7");
  await row.getByRole("button", { name: /^Save again/ }).click();
  await codeField(identity(page)).pressSequentially(codeOf(secret));
  await expect(row.getByRole("status")).toHaveText("Saved");
});

/** The question's own file. */
const IDENTITY_FILE = /\/identity-dialog-[^/]*\.js$/;

test("3. over an open question, when its file is late or gone", async ({ page, server }) => {
  forgetUsedCodes(server);
  await enterAsOwner(page, server);
  await page.request.post(`${server.origin}/api/millrace.v1.OrganizationService/Create`, {
    data: { name: "labs" },
    headers: { Origin: server.origin },
  });
  const question = page.getByRole("alertdialog", { name: "Delete the organization labs?" });
  const typed = question.getByLabel(/to confirm/);
  const remove = question.getByRole("button", { name: "Delete organization" });
  await page.route(IDENTITY_FILE, (route) => route.abort());
  await page.goto(`${server.origin}/app/labs?do=delete-organization`);
  await typed.fill("labs");
  await remove.press("Enter");
  await expect(question.getByRole("alert")).toContainText("reload the page");
  await expect(typed).toHaveValue("labs");
  await page.unroute(IDENTITY_FILE);

  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route(IDENTITY_FILE, async (route) => {
    await answered;
    await route.continue();
  });
  await page.reload();
  await typed.fill("labs");
  const asked = page.waitForRequest(IDENTITY_FILE);
  await remove.press("Enter");
  await asked;
  await expect(remove).toBeVisible();
  await expect(remove).toBeFocused();
  answer();
  await codeField(identity(page)).pressSequentially(codeOf(secret));
  await expect(page.getByRole("status").getByText("Deleted labs")).toBeVisible();
});

test("3. a session that ends over the question", async ({ page, server }) => {
  forgetUsedCodes(server);
  await enterAsOwner(page, server);
  await page.goto(`${server.origin}/app/me`);
  await section(page).getByRole("button", { name: "Make new codes…" }).click();
  const ended = page.getByRole("alertdialog", { name: "Your session has ended" });
  const over = { code: "unauthenticated", message: "sign in first" };
  for (const path of ["**/auth/confirm/options", "**/auth/confirm"]) {
    await page.route(path, (route) => route.fulfill({ status: 401, json: over }), { times: 1 });
    if (path.endsWith("options"))
      await page.getByRole("button", { name: "Make new codes", exact: true }).click();
    else await codeField(identity(page)).pressSequentially(codeOf(secret));
    await expect(ended).toBeVisible();
    // In truth it has not ended, as in a tab next to one that signed in.
    await expect(ended).toBeHidden();
    if (path.endsWith("options")) await identity(page).getByRole("button", { name: "Try again" }).click();
  }
  await identity(page).getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("you did not confirm that it is you");
});

const GRANT = { client_id: "millrace-cli", grant_type: "urn:ietf:params:oauth:grant-type:device_code" };

test("4. a terminal", async ({ page, server }) => {
  forgetUsedCodes(server);
  await enterAsOwner(page, server);
  const form = { client_id: "millrace-cli", client_name: "millrace", machine: "ada-mbp", system: "macOS" };
  const asked = await page.request.post(`${server.origin}/oauth/device_authorization`, { form });
  const login = (await asked.json()) as { device_code: string; verification_uri_complete: string };
  const token = async () =>
    (
      await page.request.post(`${server.origin}/oauth/token`, {
        form: { ...GRANT, device_code: login.device_code },
      })
    ).json() as Promise<{ [name: string]: string }>;
  await page.goto(login.verification_uri_complete);
  const approve = page.getByRole("button", { name: "Log in this machine" });
  await approve.press("Enter");
  await expect(codeField(identity(page))).toBeFocused();
  await expectFine(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("alert")).toContainText("Nothing was approved.");
  expect(await token()).toMatchObject({ error: "authorization_pending" });
  await approve.press("Enter");
  await codeField(identity(page)).pressSequentially(codeOf(secret));
  await expect(page.getByRole("heading", { name: "ada-mbp is logged in" })).toBeVisible();
});

test("5. passkeys that verify their person", async ({ page, server }) => {
  forgetUsedCodes(server);
  await enterAsOwner(page, server);
  const { cdp, id } = await addVirtualAuthenticator(page);
  await page.goto(`${server.origin}/app/me`);
  const passkeys = page.getByRole("region", { name: "Passkeys" });
  await passkeys.getByRole("button", { name: "Add a passkey" }).click();
  await codeField(identity(page)).pressSequentially(codeOf(secret));
  await expect(page.getByText(/^You can sign in with/)).toBeVisible();
  await expect(passkeys).toContainText("verifies you");
  await expectFine(page);

  // Used as the second step, also where the passkey alone would be enough.
  await leave(page);
  await openLink(page, server);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page).toHaveURL(`${server.origin}/app/acme`);
  // Someone else holds the authenticator now.
  await cdp.send("WebAuthn.setUserVerified", { authenticatorId: id, isUserVerified: false });
  await leave(page);
  await openLink(page, server);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("alert")).toContainText("You are not signed in.");
  await expect(codeField(page)).toBeVisible();
  await expectFine(page);
  await cdp.send("WebAuthn.setUserVerified", { authenticatorId: id, isUserVerified: true });
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page).toHaveURL(`${server.origin}/app/acme`);
});

/** As a member, in a browser of their own. @param owner who has just confirmed */
async function join(owner: Page, guest: Page, server: Server) {
  const invited = await owner.request.post(
    `${server.origin}/api/millrace.v1.OrganizationService/CreateInvitation`,
    { data: { role: "member" }, headers: { Origin: server.origin } },
  );
  await guest.goto(server.origin + (/\/app\/join\/[\w-]+/.exec(await invited.text())?.[0] ?? ""));
  await guest.getByLabel("Your name").fill(LONG_NAME);
  await guest.getByRole("button", { name: "Join without a passkey" }).click();
  await expect(guest).toHaveURL(`${server.origin}/app/acme`);
}

const LONG_NAME = `Mei ${"W".repeat(76)}`;

test("5. a passkey that verifies no one", async ({ browser, page, server }) => {
  await enterAsOwner(page, server, true);
  const context = await browser.newContext();
  const guest = await context.newPage();
  await addVirtualAuthenticator(guest, false);
  await join(page, guest, server);
  await guest.goto(`${server.origin}/app/me`);
  const passkeys = guest.getByRole("region", { name: "Passkeys" });
  await passkeys.getByRole("button", { name: "Add a passkey" }).click();
  await expect(guest.getByText(/^You can sign in with/)).toBeVisible();
  await expect(passkeys).not.toContainText("verifies you");
  await expect(section(guest)).toContainText("You have no passkey that verifies you.");
  await expect(section(guest).getByRole("button", { name: "Use your passkeys" })).toHaveCount(0);
  await context.close();
});

test("6. a member who has lost the app", async ({ browser, page, server }) => {
  forgetUsedCodes(server);
  await enterAsOwner(page, server, true);
  const context = await browser.newContext();
  const guest = await context.newPage();
  await join(page, guest, server);
  await setUpApp(guest, server.origin);
  await enterAsOwner(page, server);
  await page.goto(`${server.origin}/app/acme/settings/members`);
  const row = page.getByRole("row").filter({ hasText: LONG_NAME }).filter({ hasText: "On" });
  await expect(row).toHaveCount(1);
  await expectFine(page);
  await row.getByRole("button", { name: /^Actions for/ }).click();
  await page.getByRole("menuitem", { name: "Turn off two-step sign-in…" }).click();
  const question = page.getByRole("alertdialog", { name: /^Turn off two-step sign-in of Mei/ });
  await expectFine(page);
  await question.getByRole("button", { name: "Turn it off" }).click();
  await expect(codeField(identity(page))).toBeFocused();
  await expectFine(page);
  await codeField(identity(page)).pressSequentially(codeOf(secret));
  await expect(question).toBeHidden();
  await expect(row).toHaveCount(0);
  await guest.goto(`${server.origin}/app/me`);
  await expect(section(guest).getByRole("button", { name: "Set up an app" })).toBeVisible();
  // Only owners see it.
  await guest.goto(`${server.origin}/app/acme/settings/members`);
  await expect(guest.getByRole("columnheader", { name: "Role" })).toBeVisible();
  await expect(guest.getByRole("columnheader", { name: "Two-step" })).toHaveCount(0);
  await context.close();
});

test("7. new codes, and turned off", async ({ page, server }) => {
  forgetUsedCodes(server);
  await enterAsOwner(page, server);
  await page.goto(`${server.origin}/app/me`);
  await expect(section(page)).toContainText("9 codes left");
  await section(page).getByRole("button", { name: "Make new codes…" }).click();
  await page.getByRole("button", { name: "Make new codes", exact: true }).click();
  await identity(page).getByRole("button", { name: "Use a recovery code" }).click();
  await identity(page)
    .getByLabel("Recovery code")
    .fill(recoveryCodes[0] ?? "");
  await page.keyboard.press("Enter");
  await expect(section(page).getByRole("listitem")).toHaveCount(10);
  expect(await section(page).getByRole("listitem").allInnerTexts()).not.toContain(recoveryCodes[1]);
  const codes = () => section(page).getByRole("listitem").allInnerTexts();
  const former = await codes();
  await section(page).getByRole("button", { name: "Download the recovery codes" }).click();
  await section(page).getByRole("button", { name: "Make new codes…" }).click();
  await page.getByRole("button", { name: "Make new codes", exact: true }).click();
  await expect.poll(codes).not.toEqual(former);
  // The former codes were saved, these were not.
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: /^Projects/ })
    .click();
  const question = page.getByRole("alertdialog", { name: "Leave without the recovery codes?" });
  await question.getByRole("button", { name: "Stay here" }).click();
  await section(page).getByRole("button", { name: "Turn off…" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Turn it off" }).click();
  await expect(section(page).getByRole("button", { name: "Use your passkeys" })).toBeVisible();
  // The codes are invalid now, and no longer hold the page.
  await expect(section(page).getByRole("listitem")).toHaveCount(0);
  await leave(page);
  await openLink(page, server);
  await expect(page).toHaveURL(`${server.origin}/app/acme`);
});
