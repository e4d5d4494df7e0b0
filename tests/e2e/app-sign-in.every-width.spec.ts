/**
 * The pages in front of the application, with answers that the test chooses; the real server is in app-server.spec.ts.
 * 1. First start: missing values are reported at their fields, the server's refusals too; what this browser or server
 *    cannot do is not offered. 2. Links of the operator in each state; opening one sends nothing. 3. Sign-in: the
 *    available ways, returned errors, the wait for a mail, and no redirect off this origin. 4. Invitations. Everywhere:
 *    axe finds nothing in both themes, nothing is wider than the screen, and the keyboard alone is enough.
 */
import type { Page } from "@playwright/test";
import { zeroBits } from "#platform/work/zero-bits.ts";
import { ada, expect, HOSTILE, noMethod, sentMail, stateWith, tellSignedIn, test, time } from "./app.ts";

test.use({ expectedErrors: /Failed to load resource/ });

const KEY = "4F7Q-2MXR-9KTD";
const START = `GET /auth/start/${KEY}`;
const invitation = {
  organization: "acme",
  role: "member",
  invited_by: "Ada Okafor",
  mail: "mei@acme.example",
  expires_at: time(3 * 86_400),
};

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string) {
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement;
      const label = element instanceof HTMLInputElement ? element.labels?.[0] : element;
      return label?.textContent ?? "";
    });
  for (let at = 0; at < 30 && (await focused()) !== name; at += 1) await page.keyboard.press("Tab");
  expect(await focused()).toBe(name);
}

test("1. first start, by keyboard", async ({ app, page }) => {
  await page.goto("/docs/faq");
  await app.open(`/app/start/${KEY}`, {
    [START]: { state: "first", organization: "default" },
    [`POST /auth/start/${KEY}`]: { next: "/docs" },
  });
  await expect(app.heading("This server is yours")).toBeVisible();
  await expect(page.getByRole("complementary")).toContainText("No owner yet");
  // The rest of the key is in the terminal.
  expect(await page.content()).not.toContain(KEY);
  await app.expectAccessible({ withColours: true });
  await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
  await page.getByLabel("Organization").focus();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("Acme Labs");
  await expect(page.getByText("build.acme.example/acme-labs/web")).toBeVisible();
  await tabTo(page, "Your name");
  await page.keyboard.type("Ada Okafor");
  await tabTo(page, "Create, and get a link by mail");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Mail")).toBeFocused();
  await expect(page.getByLabel("Mail")).toHaveAccessibleDescription("Enter the address to send the link to.");
  await page.keyboard.type("ada@acme.example");
  await tabTo(page, "Create, and get a link by mail");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs$/);
  expect(app.sent).toEqual([
    {
      call: `POST /auth/start/${KEY}`,
      body: { organization: "acme-labs", name: "Ada Okafor", mail: "ada@acme.example" },
    },
  ]);
  // The key is not a page to go back to.
  await page.goBack();
  await expect(page).toHaveURL(/\/docs\/faq$/);
});

test("1. first start, refusals", async ({ app, page }) => {
  const post = `POST /auth/start/${KEY}`;
  await app.open(`/app/start/${KEY}`, {
    "GET /auth/state": stateWith({ methods: noMethod }),
    [START]: { state: "first" },
    [post]: { status: 409, code: "already_exists", message: "the name is taken", field: "organization" },
  });
  await expect(app.button("Create with a passkey")).toBeHidden();
  await expect(page.getByText("This server sends no mail.")).toBeVisible();
  await page.getByLabel("Organization").fill("-wrong-");
  await app.button("Create without a passkey").click();
  await expect(page.getByLabel("Organization")).toBeFocused();
  await expect(page.getByLabel("Organization")).toHaveAccessibleDescription(/single hyphens/);
  await expect(page.getByLabel("Your name")).toHaveAttribute("aria-invalid", "true");
  await page.getByLabel("Organization").fill("acme");
  await page.getByLabel("Your name").fill("Ada");
  await app.button("Create without a passkey").click();
  await expect(page.getByLabel("Organization")).toHaveAccessibleDescription(/The name is taken\./);
  app.answers[post] = { status: 400, code: "failed_precondition", message: "the link was used already" };
  await app.button("Create without a passkey").click();
  await expect(page.getByRole("alert")).toContainText("Nothing was created. The link was used already.");
  await app.expectAccessible();
  await page.unrouteAll();
  await page.route("**/auth/start/**", (route) => route.abort());
  await app.button("Create without a passkey").click();
  await expect(page.getByRole("alert")).toContainText("The server does not respond.");
});

const dead = [
  [
    "used",
    { used_at: time(-300), used_from: "10.0.4.31" },
    "This link was already used",
    /from 10\.0\.4\.31/,
  ],
  ["expired", {}, "This link has expired", /after an hour/],
  ["unknown", {}, "There is no such link", /mistyped/],
] as const;

for (const [state, parts, title, text] of dead)
  test(`2. a link that is ${state}`, async ({ app, page }) => {
    await app.open(`/app/start/${KEY}`, { [START]: { state, ...parts } });
    await expect(app.heading(title)).toBeVisible();
    await expect(page.getByText(text)).toBeVisible();
    await expect(page.getByText("npm start -- owner-link")).toBeVisible();
    await app.expectAccessible();
    await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
    await page.getByRole("link", { name: "Sign in another way" }).click();
    await expect(app.heading("Sign in")).toBeVisible();
  });

for (const [kind, name] of Object.entries(HOSTILE))
  test(`2. an owner with a name of ${kind}`, async ({ app, page }) => {
    await app.open(`/app/start/${KEY}`, {
      [START]: { state: "ready", name },
      [`POST /auth/start/${KEY}`]: { next: "//evil.example/" },
      "GET /auth/state": stateWith({ user: null }),
    });
    const enter = app.button(/^Sign in as/);
    await expect(enter).toContainText(name);
    await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
    await expect(page.locator("img")).toHaveCount(0);
    expect(app.sent).toEqual([]);
    await enter.click();
    // The answer's address is not on this server, so it is not followed.
    await expect(page).toHaveURL(/\/app(\/sign-in.*)?$/);
  });

test("3. all ways to sign in", async ({ app, page }) => {
  await app.open("/app/sign-in?next=/console/pages%3Frange%3D7d");
  await expect(app.heading("Sign in")).toBeVisible();
  await expect(app.button("Use a passkey")).toBeVisible();
  const href = "/auth/oidc?next=%2Fconsole%2Fpages%3Frange%3D7d";
  await expect(page.getByRole("link", { name: "Continue with Google" })).toHaveAttribute("href", href);
  await expect(page.getByRole("link", { name: "Continue with GitHub" })).toBeVisible();
  await expect(page.getByLabel("Mail")).toHaveAttribute("autocomplete", "username webauthn");
  await app.expectAccessible({ withColours: true });
  await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
});

test("3. only what is configured", async ({ app, page }) => {
  const methods = { ...noMethod, passkey: true };
  await app.open("/app/sign-in", { "GET /auth/state": stateWith({ methods }) });
  await expect(app.button("Use a passkey")).toBeVisible();
  await expect(page.getByRole("link", { name: /^Continue/ })).toHaveCount(0);
  await expect(page.getByLabel("Mail")).toBeHidden();
  await expect(page.getByText("npm start -- owner-link")).toBeVisible();
  await app.open("/app/sign-in", { "GET /auth/state": stateWith({ methods: noMethod }) });
  await expect(page.getByText("This browser cannot sign in here.")).toBeVisible();
  await app.expectAccessible();
});

test("3. a passkey that is refused", async ({ app, page }) => {
  await app.open("/app/sign-in", {
    "POST /auth/passkey/options": { status: 429, code: "resource_exhausted", message: "too many" },
  });
  await app.button("Use a passkey").click();
  await expect(page.getByRole("alert")).toContainText("Too many attempts. Try again in a few minutes.");
});

const errors = [
  ["error=not-a-member&mail=sam%40acme.example", "sam@acme.example is not a member here."],
  ["error=not-a-member&mail=%3Cimg%20src%3Dx%3E", "<img src=x> is not a member here."],
  ["error=used", "This link was already used."],
  ["error=provider-away", "The provider does not respond."],
  ["error=constructor", "The reason is “constructor”."],
] as const;

for (const [at, [query, text]] of errors.entries())
  // One message has the screen at both widths; the others differ in their words.
  test(`3. came back with ${query}`, { tag: at === 0 ? [] : "@one-width" }, async ({ app, page }) => {
    await app.open(`/app/sign-in?next=/docs&${query}`);
    await expect(page.getByRole("alert")).toContainText(text);
    await expect(page).toHaveURL(/\/app\/sign-in\?next=%2Fdocs$/);
    await app.expectAccessible();
  });

test("3. a link by mail, and the page continues automatically", async ({ app, page, context }) => {
  await app.open("/app/sign-in?next=/docs/faq", {
    "POST /auth/mail": sentMail(),
    "POST /auth/passkey/options": { status: 404, code: "not_found", message: "no" },
  });
  await app.button("Send me a link").click();
  await expect(page.getByLabel("Mail")).toBeFocused();
  await expect(page.getByLabel("Mail")).toHaveAccessibleDescription("Enter the address to send the link to.");
  await page.keyboard.type("mei@acme.example");
  await page.keyboard.press("Enter");
  await expect(app.heading("Check your mail")).toBeFocused();
  await expect(page.getByText("sent").first()).toContainText("smtp.acme.example");
  await expect(page.getByRole("status")).toHaveText("Waiting for the link to be opened");
  await expect(app.button(/^Send again in \d+s$/)).toHaveAttribute("aria-disabled", "true");
  expect(app.sent.filter(({ call }) => call === "POST /auth/mail")).toEqual([
    { call: "POST /auth/mail", body: { mail: "mei@acme.example", next: "/docs/faq" } },
  ]);
  await app.expectAccessible();
  await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
  app.answers["GET /auth/state"] = stateWith({ user: ada });
  const other = await context.newPage();
  await other.goto("/app/sign-in");
  await tellSignedIn(other);
  await expect(page).toHaveURL(/\/docs\/faq$/);
});

/** Refuses until correct work arrives, and then answers. */
function askForWork(bits: number) {
  const brought: string[] = [];
  const answer = (request: { headers: () => { [name: string]: string } }): object => {
    const work = request.headers()["millrace-work"];
    if (work !== undefined) brought.push(work);
    if (work?.startsWith("c.1:")) return sentMail();
    return { status: 429, code: "resource_exhausted", message: "too many", work: { challenge: "c.1", bits } };
  };
  return { brought, answer };
}

test("3. a crowd that asks for links", { tag: "@one-width" }, async ({ app, page }) => {
  const { brought, answer } = askForWork(15);
  await app.open("/app/sign-in", { "POST /auth/mail": answer });
  await page.getByLabel("Mail").fill("mei@acme.example");
  await app.button("Send me a link").click();
  await expect(app.heading("Check your mail")).toBeVisible();
  expect(brought).toHaveLength(1);
  const [, nonce = ""] = brought[0]!.split(":");
  expect(zeroBits("c.1", Number(nonce))).toBeGreaterThanOrEqual(15);
  await app.expectAccessible();
});

test("3. a check of the browser is shown, said once and ended by leaving", async ({ app, page }) => {
  const { brought, answer } = askForWork(40);
  await app.open("/app/sign-in", { "POST /auth/mail": answer });
  await page.getByLabel("Mail").fill("mei@acme.example");
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const region = document.querySelector("#announcer");
    if (region)
      new MutationObserver(() => said.push(region.textContent)).observe(region, {
        childList: true,
        characterData: true,
        subtree: true,
      });
  });
  await app.button("Send me a link").click();
  await expect(page.getByText("Checking your browser…")).toBeVisible();
  await expect(app.button("Send me a link")).toHaveAttribute("aria-busy", "true");
  await app.expectAccessible();
  await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
  const said = await page.evaluate(() => (window as unknown as { said: string[] }).said.filter(Boolean));
  expect(said).toEqual(["Checking your browser. This takes a few seconds."]);
  // The page stays usable: typed text appears immediately.
  await page.getByLabel("Mail").fill("other@acme.example");
  await expect(page.getByLabel("Mail")).toHaveValue("other@acme.example");
  await page.getByRole("link", { name: "Documentation" }).click();
  await expect(page).toHaveURL(/\/docs/);
  expect(brought).toEqual([]);
});

test("3. mail that is over, and another address", async ({ app, page }) => {
  await app.open("/app/sign-in", {
    "POST /auth/mail": { ...sentMail(), sent_at: time(-901), expires_at: time(-1) },
  });
  await page.getByLabel("Mail").fill("mei@acme.example");
  await app.button("Send me a link").click();
  await expect(page.getByRole("status")).toHaveText("The link has expired");
  app.answers["POST /auth/mail"] = {
    status: 503,
    code: "unavailable",
    message: "the mail server is unreachable",
  };
  await app.button("Send again").click();
  await expect(page.getByRole("alert")).toContainText("The mail server is unreachable.");
  await app.button("Another address").click();
  await expect(page.getByLabel("Mail")).toHaveValue("");
});

test("3. a mail's link is used by the button alone", async ({ app, page }) => {
  await app.open(`/app/mail/${KEY}`, { [`POST /auth/mail/${KEY}`]: { next: "/docs" } });
  await expect(app.heading("Sign in")).toBeVisible();
  await app.expectAccessible();
  expect(app.sent).toEqual([]);
  await app.button("Sign in with this link").click();
  await expect(page).toHaveURL(/\/docs$/);
  await app.open(`/app/mail/${KEY}`, {
    [`POST /auth/mail/${KEY}`]: {
      status: 400,
      code: "failed_precondition",
      message: "the link was used already",
    },
  });
  await app.button("Sign in with this link").click();
  await expect(page.getByRole("alert")).toContainText("The link was used already.");
  await expect(page.getByRole("link", { name: "Ask for a new link" })).toBeVisible();
});

const elsewhere = ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"];

for (const [at, next] of elsewhere.entries())
  // The button is pressed at both widths once; where it leads does not depend on them.
  test(
    `3. who is signed in is not led to ${next}`,
    { tag: at === 0 ? [] : "@one-width" },
    async ({ app, page }) => {
      await app.open(`/app/sign-in?next=${encodeURIComponent(next)}`, {
        "GET /auth/state": stateWith({ user: ada }),
      });
      await expect(app.heading("You are signed in as Ada Okafor")).toBeVisible();
      await app.button("Continue").click();
      // Home, which redirects to the organization.
      await expect(page).toHaveURL(/^http:\/\/localhost:\d+\/app\/acme$/);
    },
  );

test("4. joining as someone new", async ({ app, page }) => {
  const post = `POST /auth/invitation/${KEY}`;
  await app.open(`/app/join/${KEY}`, {
    [`GET /auth/invitation/${KEY}`]: invitation,
    [post]: {
      status: 409,
      code: "already_exists",
      message: "mei@acme.example belongs to another person",
      field: "mail",
    },
  });
  await expect(app.heading("Join acme")).toBeVisible();
  await expect(page.getByText("Ada Okafor invites you as a member")).toBeVisible();
  await expect(page.getByLabel("Mail")).toHaveValue("mei@acme.example");
  await app.expectAccessible({ withColours: true });
  await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
  await expect(page.getByRole("link", { name: "Continue with Google" })).toHaveAttribute(
    "href",
    `/auth/oidc?next=%2Fapp&invitation=${KEY}`,
  );
  await page.getByLabel("Your name").fill("Mei Tanaka");
  await app.button("Join, and get a link by mail").click();
  await expect(page.getByLabel("Mail")).toHaveAccessibleDescription(/belongs to another person/);
  app.answers[post] = { next: "/docs" };
  await app.button("Join, and get a link by mail").click();
  await expect(page).toHaveURL(/\/docs$/);
});

test("4. joining after a sign-in comes back", async ({ app, page }) => {
  await app.open(`/app/join/${KEY}`, { [`GET /auth/invitation/${KEY}`]: invitation });
  await page.getByRole("link", { name: "Sign in first" }).click();
  await expect(app.heading("Sign in")).toBeVisible();
  // Neither the address nor the next request's Referer has the key.
  expect(page.url()).not.toContain(KEY);
  const providers = page.getByRole("link", { name: /^Continue with/ });
  const addresses = ["/auth/oidc", "/auth/github"].map((path) => `${path}?next=%2Fapp%2Fsign-in%3Fkept`);
  await expect
    .poll(() => providers.evaluateAll((all) => all.map((link) => link.getAttribute("href"))))
    .toEqual(addresses);
  app.answers["GET /auth/state"] = stateWith({ user: ada });
  app.answers[`POST /auth/invitation/${KEY}`] = { next: "/docs" };
  // As the server redirects after a provider.
  await page.goto("/app/sign-in?kept");
  await app.button("Join as Ada Okafor").click();
  await expect(page).toHaveURL(/\/docs$/);
  expect(app.sent.at(-1)).toEqual({ call: `POST /auth/invitation/${KEY}`, body: {} });
});

test("4. an invitation that is over", async ({ app, page }) => {
  await app.open(`/app/join/${KEY}`, {
    [`GET /auth/invitation/${KEY}`]: {
      status: 404,
      code: "not_found",
      message: "the invitation was revoked",
    },
  });
  await expect(app.heading("This invitation is no longer valid")).toBeVisible();
  await expect(page.getByText("The invitation was revoked.")).toBeVisible();
  await app.expectAccessible();
});
