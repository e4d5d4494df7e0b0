/**
 * `/app/second-step` and the confirmation on pages in front of the application, with answers that the test chooses; the
 * real server is in app-two-step.spec.ts.
 * 1. Six digits are sent automatically, once, also pasted with blanks; a wrong code is reported at its field and not
 *    sent again, and typing replaces it; after too many tries the page says how long to wait. 2. A recovery code, and the next page: never off
 *    this origin.
 * 3. An expired sign-in leads to a new one; a server that is unreachable or slow. 4. Every way in leads here first.
 * 5. Approving a terminal asks for confirmation, and then continues automatically; canceling changes nothing.
 *    Everywhere: axe finds nothing in both themes, nothing is wider than the screen, and the keyboard alone is enough.
 */
import { generateKeyPairSync } from "node:crypto";
import type { Page } from "@playwright/test";
import { addVirtualAuthenticator } from "../virtual-authenticator.ts";
import { ada, expect, HOSTILE, login, noMethod, stateWith, tellSignedIn, test, time } from "./app.ts";

test.use({ expectedErrors: /Failed to load resource|dynamically imported module/ });

const OPTIONS = "POST /auth/second-step/options";
const STEP = "POST /auth/second-step";
const ways = { name: ada.name, ways: ["totp", "recovery", "passkey"], passkey: null };
const wrong = (message: string, field = "code") => ({
  status: 400,
  code: "invalid_argument",
  message,
  field,
});
const over = { status: 401, code: "unauthenticated", message: "the sign-in is over" };

const codeField = (page: Page) => page.getByLabel("Code from your app");
/** Like a clipboard: all digits in one input. */
const paste = (page: Page, text: string) => page.keyboard.insertText(text);

test("1. a refused code is selected before anyone sees the refusal @one-width", async ({ app, page }) => {
  await app.open("/app/second-step", {
    [OPTIONS]: ways,
    [STEP]: wrong("this code is not the app's present one"),
  });
  await expect(codeField(page)).toBeFocused();
  // The page watches before anything is pasted.
  const selected = await page.evaluateHandle(() => {
    const selection = new Promise<string>((resolve) => {
      const look = () => {
        const field = document.querySelector<HTMLInputElement>('main input[aria-invalid="true"]');
        if (field) resolve(field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0));
      };
      // It looks before the browser paints.
      new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
    });
    return { selection };
  });
  await paste(page, "123456");
  expect(await selected.evaluate(({ selection }) => selection)).toBe("123456");
});

test("1. codes, by keyboard", async ({ app, page }) => {
  await app.open("/app/second-step?next=/docs/faq", {
    [OPTIONS]: ways,
    [STEP]: wrong("this code is not the app's present one"),
  });
  await expect(app.heading("One more step")).toBeVisible();
  await expect(page.getByText("Two-step sign-in is on for Ada Okafor.")).toBeVisible();
  await expect(codeField(page)).toBeFocused();
  await expect(codeField(page)).toHaveAttribute("inputmode", "numeric");
  await expect(codeField(page)).toHaveAttribute("autocomplete", "one-time-code");
  await app.expectAccessible({ withColours: true });
  await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
  const steps = () => app.sent.filter(({ call }) => call === STEP).map(({ body }) => body);
  await paste(page, " 123 456 ");
  await expect(codeField(page)).toHaveAccessibleDescription(/This code is not the app's present one\./);
  await expect(codeField(page)).toHaveAttribute("aria-invalid", "true");
  await expect(codeField(page)).toBeFocused();
  expect(steps()).toEqual([{ code: "123456", next: "/docs/faq" }]);
  await app.expectAccessible();
  // The code was judged already.
  await page.keyboard.press("Enter");
  await app.button("Continue").press("Enter");
  await expect(codeField(page)).toBeFocused();
  expect(steps()).toHaveLength(1);

  app.answers[STEP] = { next: "/docs/faq" };
  await codeField(page).selectText();
  await page.keyboard.type("65432x1");
  await expect(page).toHaveURL("/docs/faq");
  expect(steps().slice(1)).toEqual([{ code: "654321", next: "/docs/faq" }]);
});

test("1. six digits and Enter are one try", { tag: "@one-width" }, async ({ app, page }) => {
  await app.open("/app/second-step", { [OPTIONS]: ways });
  await expect(codeField(page)).toBeFocused();
  let count = 0;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/auth/second-step", async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    count += 1;
    await answered;
    return route.fulfill({ json: { next: "/docs" } });
  });
  await page.keyboard.type("123456");
  await expect(app.button("Continue")).toHaveAttribute("aria-busy", "true");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("6");
  // The next page is slow, and the code is used up: a 204 leaves this page in place.
  await page.route("**/docs", (route) => route.fulfill({ status: 204 }));
  const left = page.waitForRequest("**/docs");
  answer();
  await left;
  await expect(app.button("Continue")).toHaveAttribute("aria-busy", "false");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("6");
  await expect(codeField(page)).toHaveValue("123456");
  await page.unroute("**/docs");
  await page.reload();
  await expect(codeField(page)).toHaveValue("");
  expect(count).toBe(1);
});

test("1. too many tries, and a server that comes back", async ({ app, page }) => {
  await app.open("/app/second-step", { [OPTIONS]: ways });
  await page.route("**/auth/second-step", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({
          status: 429,
          headers: { "Retry-After": "2831" },
          json: { code: "resource_exhausted", message: "too many" },
        })
      : route.fallback(),
  );
  await expect(codeField(page)).toBeFocused();
  await page.keyboard.type("123456");
  await expect(page.getByRole("alert")).toContainText("Too many attempts. Try again in 48 minutes.");
  await app.expectAccessible();
  await page.unroute("**/auth/second-step");
  await page.route("**/auth/second-step", (route) =>
    route.request().method() === "POST" ? route.abort() : route.fallback(),
  );
  await app.button("Continue").click();
  await expect(page.getByRole("alert")).toContainText("The server does not respond.");
  await page.unroute("**/auth/second-step");
  app.answers[STEP] = { next: "/docs" };
  // That code was not judged.
  await app.button("Continue").click();
  await expect(page).toHaveURL(/\/docs$/);
});

for (const [kind, name] of Object.entries(HOSTILE))
  test(`2. a recovery code of a person with a name of ${kind}`, async ({ app, page }) => {
    await app.open("/app/second-step?next=//evil.example/", {
      [OPTIONS]: { ...ways, name, ways: ["totp", "recovery"] },
      [STEP]: wrong("this recovery code was used already", "recoveryCode"),
    });
    await expect(page.getByText(name)).toBeVisible();
    await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
    await expect(page.locator("img")).toHaveCount(0);
    await expect(app.button("Use a passkey")).toHaveCount(0);
    await app.button("Use a recovery code").press("Enter");
    const field = page.getByLabel("Recovery code");
    await expect(field).toBeFocused();
    await page.keyboard.type("abcde-fghij ");
    await page.keyboard.press("Enter");
    await expect(field).toHaveAccessibleDescription(/was used already\./);
    await app.expectAccessible();
    app.answers[STEP] = { next: "//evil.example/" };
    await field.fill("klmno-pqrst");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/localhost:\d+\/app(\/sign-in.*)?$/);
    expect(app.sent.filter(({ call }) => call === STEP).map(({ body }) => body)).toEqual([
      { recoveryCode: "abcde-fghij", next: "/app" },
      { recoveryCode: "klmno-pqrst", next: "/app" },
    ]);
  });

test("2. only a passkey", { tag: "@one-width" }, async ({ app, page }) => {
  await app.open("/app/second-step", { [OPTIONS]: { ...ways, ways: ["recovery", "passkey"] } });
  await expect(app.button("Use a passkey")).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await app.button("Use a passkey").click();
  await expect(page.getByRole("alert")).toContainText("You have no passkey that can be used here.");
  await app.button("Use a recovery code").click();
  await expect(page.getByLabel("Recovery code")).toBeFocused();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("2. a code, while the browser asks for a passkey", { tag: "@one-width" }, async ({ app, page }) => {
  const { cdp, id } = await addPasskey(page);
  await cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId: id, enabled: false });
  const options = { challenge: "Y2hhbGxlbmdl", rpId: "localhost", userVerification: "preferred" };
  await app.open("/app/second-step?next=/docs/faq", {
    [OPTIONS]: { ...ways, passkey: { state: "s", options } },
    [STEP]: { next: "/docs/faq" },
  });
  await app.button("Use a passkey").click();
  await expect(app.button("Use a passkey")).toHaveAttribute("aria-busy", "true");
  await codeField(page).pressSequentially("123456");
  await expect(page).toHaveURL("/docs/faq");
  expect(app.sent.filter(({ call }) => call === STEP).map(({ body }) => body)).toEqual([
    { code: "123456", next: "/docs/faq" },
  ]);
});

test("2. only a passkey, and a browser without", async ({ app, page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, "PublicKeyCredential"));
  await app.open("/app/second-step?next=/docs/faq", { [OPTIONS]: { ...ways, ways: ["passkey"] } });
  await expect(page.getByText("Sign in with the browser that has yours.")).toBeVisible();
  await expect(page.getByText(/^Lost all of them\?/)).toContainText("two-step-off <name or mail>");
  await expect(page.getByRole("link", { name: "Sign in as someone else" })).toHaveAttribute(
    "href",
    "/app/sign-in?next=%2Fdocs%2Ffaq",
  );
  await app.expectAccessible();
  await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
});

test("3. a sign-in that is over", async ({ app, page }) => {
  await app.open("/app/second-step?next=/docs/faq", { [OPTIONS]: over });
  await expect(app.heading("This sign-in has expired")).toBeVisible();
  await app.expectAccessible();
  await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
  await page.getByRole("link", { name: "Sign in again" }).click();
  await expect(page).toHaveURL(/\/app\/sign-in\?next=%2Fdocs%2Ffaq$/);

  await app.open("/app/second-step?next=/docs/faq", { [OPTIONS]: ways, [STEP]: over });
  await expect(codeField(page)).toBeFocused();
  await page.keyboard.type("123456");
  await expect(app.heading("This sign-in has expired")).toBeVisible();

  // Another tab finishes it.
  app.answers["GET /auth/state"] = stateWith({ user: ada });
  await tellSignedIn(page);
  await expect(page).toHaveURL("/docs/faq");

  // Another tab has finished it.
  await app.open("/app/second-step?next=/docs/faq", {
    "GET /auth/state": stateWith({ user: ada }),
    [OPTIONS]: over,
  });
  await expect(app.heading("You are signed in")).toBeVisible();
  await page.getByRole("link", { name: "Continue" }).click();
  await expect(page).toHaveURL("/docs/faq");
});

test("3. a server that is unreachable, then slow", { tag: "@one-width" }, async ({ app, page }) => {
  await app.open("/app/second-step");
  let isAway = true;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/auth/second-step/options", async (route) => {
    if (isAway) return route.abort();
    await answered;
    return route.fulfill({ json: ways });
  });
  await page.reload();
  await expect(app.heading("The server does not respond")).toBeVisible();
  await app.expectAccessible();
  isAway = false;
  await app.button("Try again").click();
  await expect(page.getByText("Waiting for the server")).toBeVisible();
  answer();
  await expect(app.heading("One more step")).toBeVisible();
});

/** A passkey as if it had been made here. */
async function addPasskey(page: Page) {
  const { cdp, id } = await addVirtualAuthenticator(page);
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  await cdp.send("WebAuthn.addCredential", {
    authenticatorId: id,
    credential: {
      credentialId: Buffer.from("passkey").toString("base64"),
      isResidentCredential: true,
      rpId: "localhost",
      userHandle: Buffer.from(ada.id).toString("base64"),
      privateKey: privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
      signCount: 1,
    },
  });
  return { cdp, id };
}

test("4. every way in comes here first", { tag: "@one-width" }, async ({ app, page }) => {
  const half = { next: "/app/second-step?next=%2Fapp" };
  await app.open("/app/mail/k3y", { "POST /auth/mail/k3y": half, [OPTIONS]: ways });
  await app.button("Sign in with this link").click();
  await expect(app.heading("One more step")).toBeVisible();

  await addPasskey(page);
  const options = { challenge: "Y2hhbGxlbmdl", rpId: "localhost", userVerification: "preferred" };
  await app.open("/app/sign-in?next=/docs/faq", {
    "POST /auth/passkey/options": { state: "s", options },
    "POST /auth/passkey/sign-in": half,
    [OPTIONS]: ways,
  });
  await app.button("Use a passkey").click();
  await expect(page).toHaveURL(/\/app\/second-step\?next=%2Fdocs%2Ffaq$/);

  await app.open("/app/start/4F7Q-2MXR-9KTD?next=/docs/faq", {
    "GET /auth/start/4F7Q-2MXR-9KTD": { state: "ready", name: ada.name },
    "POST /auth/start/4F7Q-2MXR-9KTD": half,
    [OPTIONS]: ways,
    [STEP]: { next: "/docs/faq" },
  });
  await app.button("Sign in as Ada Okafor").click();
  // The target of this page is kept.
  await expect(page).toHaveURL(/\/app\/second-step\?next=%2Fdocs%2Ffaq$/);
  await expect(codeField(page)).toBeFocused();
  await page.keyboard.type("123456");
  await expect(page).toHaveURL("/docs/faq");
});

test("4. an invitation's key stays out of addresses", { tag: "@one-width" }, async ({ app, page }) => {
  await addPasskey(page);
  const invited = {
    "GET /auth/invitation/4F7Q-2MXR-9KTD": {
      organization: "acme",
      role: "member",
      invited_by: ada.name,
      expires_at: time(900),
    },
  };
  const options = { challenge: "Y2hhbGxlbmdl", rpId: "localhost", userVerification: "preferred" };
  await app.open("/app/join/4F7Q-2MXR-9KTD", {
    ...invited,
    // Without mail: no field offers the passkey before the button is pressed.
    "GET /auth/state": stateWith({ methods: { ...noMethod, passkey: true } }),
    "POST /auth/passkey/options": { state: "s", options },
    "POST /auth/passkey/sign-in": { next: "/app/second-step?next=%2Fapp" },
    [OPTIONS]: ways,
    [STEP]: { next: "/app/join/4F7Q-2MXR-9KTD" },
  });
  await page.getByRole("link", { name: "Sign in first" }).click();
  await app.button("Use a passkey").click();
  await expect(page).toHaveURL(/\/app\/second-step$/);
  await page.getByRole("link", { name: "Sign in as someone else" }).click();
  await expect(page).toHaveURL(/\/app\/sign-in$/);
  await app.button("Use a passkey").click();
  await expect(page).toHaveURL(/\/app\/second-step$/);
  await expect(codeField(page)).toBeFocused();
  await page.keyboard.type("123456");
  await expect(page).toHaveURL(/\/app\/join\/4F7Q-2MXR-9KTD$/);
  expect(app.sent.findLast(({ call }) => call === STEP)?.body).toEqual({
    code: "123456",
    next: "/app/join/4F7Q-2MXR-9KTD",
  });

  // Continuing as another person does not show it either.
  const signedIn = {
    ...invited,
    "GET /auth/state": stateWith({ user: ada }),
    "POST /auth/sign-out": {},
  };
  await app.open("/app/join/4F7Q-2MXR-9KTD", signedIn);
  await app.button("Not you?").click();
  await expect(page).toHaveURL("/app/sign-in");
  await app.button("Sign in as someone else").click();
  await expect(page).toHaveURL("/app/sign-in");
  await app.button("Continue").click();
  await expect(page).toHaveURL("/app/join/4F7Q-2MXR-9KTD");
});

test("5. a session that is over, and all ways lost", { tag: "@one-width" }, async ({ app, page }) => {
  await app.open("/app/device?code=WDJB-MJHT", {
    "GET /auth/state": stateWith({ user: ada }),
    "GET /oauth/device": () => login(),
    "POST /auth/confirm/options": over,
    "POST /auth/confirm": over,
  });
  await page.route("**/oauth/device/approve", (route) =>
    route.fulfill({
      status: 403,
      headers: { "millrace-confirm": "required" },
      json: { code: "failed_precondition", message: "confirm that it is you" },
    }),
  );
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  const again = dialog.getByRole("link", { name: "Sign in again" });
  const there = "/app/sign-in?next=%2Fapp%2Fdevice%3Fcode%3DWDJB-MJHT";
  await app.button("Log in this machine").click();
  await expect(dialog.getByRole("alert")).toContainText("Your session has ended.");
  await expect(again).toHaveAttribute("href", there);
  await app.expectAccessible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  app.answers["POST /auth/confirm/options"] = { ...ways, ways: ["totp", "recovery"] };
  await app.button("Log in this machine").click();
  await expect(dialog).toContainText("can turn two-step sign-in off for you");
  await codeField(page).fill("123456");
  await expect(again).toHaveAttribute("href", there);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  app.answers["POST /auth/confirm/options"] = { ...ways, ways: ["passkey"] };
  await app.button("Log in this machine").click();
  await expect(dialog).toContainText("sign in another way, which also confirms that it is you");
  await dialog.getByRole("button", { name: "Cancel" }).click();

  // The question's file is gone.
  await page.route(/\/identity-dialog-[^/]*\.js$/, (route) => route.abort());
  await page.reload();
  await app.button("Log in this machine").click();
  await expect(page.getByRole("alert")).toContainText("reload the page");
  await expect(app.button("Log in this machine")).toBeVisible();
});

test("5. approving a terminal asks who it is", async ({ app, page }) => {
  let isConfirmed = false;
  await app.open("/app/device?code=WDJB-MJHT", {
    "GET /auth/state": stateWith({ user: ada }),
    "GET /oauth/device": () => login(),
    "POST /auth/confirm/options": { ...ways, ways: ["totp", "recovery"] },
    "POST /auth/confirm": wrong("this code is not the app's present one"),
  });
  const approvals: unknown[] = [];
  await page.route("**/oauth/device/approve", (route) => {
    approvals.push(route.request().postDataJSON());
    return isConfirmed
      ? route.fulfill({ json: {} })
      : route.fulfill({
          status: 403,
          headers: { "millrace-confirm": "required" },
          json: { code: "failed_precondition", message: "confirm that it is you" },
        });
  });
  await page.getByLabel("Organization").selectOption("acme-labs (member)");
  await app.button("Log in this machine").press("Enter");
  const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
  await expect(codeField(page)).toBeFocused();
  await app.expectAccessible();
  await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("alert")).toContainText(
    "Nothing was approved. Nothing was changed: you did not confirm that it is you.",
  );
  await expect(page.getByLabel("Organization")).toHaveValue("org_4t8bz0mw2s");
  await expect(app.button("Log in this machine")).toBeFocused();

  await page.keyboard.press("Enter");
  await expect(codeField(page)).toBeFocused();
  await page.keyboard.type("123456");
  await expect(codeField(page)).toHaveAccessibleDescription(/not the app's present one/);
  isConfirmed = true;
  app.answers["POST /auth/confirm"] = { confirmedUntil: Date.now() + 600_000 };
  await page.keyboard.type("654321");
  await expect(app.heading("ada-mbp is logged in")).toBeVisible();
  const approval = { code: "WDJB-MJHT", organization: "org_4t8bz0mw2s" };
  expect(approvals).toEqual([approval, approval, approval]);
});
