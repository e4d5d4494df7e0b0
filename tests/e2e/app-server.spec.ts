/**
 * The application and its server together, on a separate server with an empty folder, and an authenticator in the browser.
 * 1. The printed link makes the first owner with a passkey, once; the passkey signs in, by button and in the field's list;
 *    a second passkey can be added, and a deleted one no longer signs in. 2. A link for owners signs in once.
 * 3. A terminal that asked gets its token after the approval, with the organization; a denied terminal gets nothing.
 * 4. An invited person joins, and is not an operator. 5. The reference calls this server. 6. No key of a link is in the
 *    log or in a count of pages; pages of the application are small.
 */
import type { Page } from "@playwright/test";
import { addVirtualAuthenticator } from "../virtual-authenticator.ts";
import { closeServer, enterAsOwner, expect, signOut, test } from "./console-server.ts";
import { expectAccessible } from "./axe.ts";
import { inlineScriptBytes, KB, recordSizes } from "./sizes.ts";

test.describe.configure({ mode: "serial" });
test.afterAll(closeServer);
test.use({ expectedErrors: /status of (400|401|403|404)/ });

type Authenticator = Awaited<ReturnType<typeof addVirtualAuthenticator>>;

/** The passkey of the first owner, which survives the pages that made it. */
let passkeys: {
  credentialId: string;
  isResidentCredential: boolean;
  privateKey: string;
  signCount: number;
}[] = [];

async function addAuthenticator(page: Page): Promise<Authenticator> {
  const authenticator = await addVirtualAuthenticator(page);
  for (const credential of passkeys)
    await authenticator.cdp.send("WebAuthn.addCredential", {
      authenticatorId: authenticator.id,
      credential: { ...credential, rpId: "localhost" },
    });
  return authenticator;
}

async function keepPasskeys({ cdp, id }: Authenticator) {
  ({ credentials: passkeys } = await cdp.send("WebAuthn.getCredentials", { authenticatorId: id }));
}

test("1. first start with a passkey", async ({ page, server }) => {
  const authenticator = await addAuthenticator(page);
  await page.goto(server.origin + server.firstLink);
  await expect(page.getByLabel("Organization")).toHaveValue("default");
  await page.getByLabel("Organization").fill("acme");
  await page.getByLabel("Your name").fill("Ada Okafor");
  await page.getByLabel("Mail").fill("ada@acme.example");
  await page.getByRole("button", { name: "Create with a passkey" }).click();
  await expect(page).toHaveURL(`${server.origin}/app/acme`);
  await page.goto(`${server.origin}/app/me`);
  await expect(page.getByRole("heading", { name: "Ada Okafor", level: 1 })).toBeVisible();
  await expect(page.getByRole("region", { name: "Organizations" })).toContainText(/acme\s*Owner/);
  await expect(page.getByRole("button", { name: /^Delete .*…$/ })).toHaveCount(1);
  await expect(page.getByRole("region", { name: "Signed in" })).toContainText("This browser");
  await expectAccessible(page);
  await keepPasskeys(authenticator);
  expect(passkeys).toHaveLength(1);

  await signOut(page);
  await expect(page.getByRole("heading", { name: "Sign in", level: 1 })).toBeVisible();
  await page.goto(`${server.origin}/app/sign-in?next=/app/api`);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page).toHaveURL(`${server.origin}/app/api`);
  await keepPasskeys(authenticator);

  await page.goto(server.origin + server.firstLink);
  await expect(page.getByRole("heading", { name: "This link was already used" })).toBeVisible();
});

test("1. a passkey from the list of the field", async ({ page, server }) => {
  await addAuthenticator(page);
  // This server sends no mail, so its page has no field: only the page believes that it does.
  await page.route(
    "**/auth/state",
    async (route) => {
      const answer = await route.fetch();
      const state = (await answer.json()) as { methods: object };
      await route.fulfill({ json: { ...state, methods: { ...state.methods, mail: true } } });
    },
    // The next page asks again, and may end this page's requests.
    { times: 1 },
  );
  const offered = page.waitForResponse(/\/auth\/passkey\/options$/);
  await page.goto(`${server.origin}/app/sign-in?next=/app/api`);
  await offered;
  // The authenticator chooses immediately.
  await expect(page).toHaveURL(`${server.origin}/app/api`);
});

test("1. no passkey fits, then another one is added and deleted", async ({ page, server }) => {
  const kept = passkeys;
  passkeys = [];
  const { cdp, id } = await addAuthenticator(page);
  await page.goto(`${server.origin}/app/sign-in`);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await expect(page.getByRole("alert")).toContainText("No passkey was used.");
  // A person who has lost the passkey signs in another way, and is not asked for it.
  await page.goto(server.origin + server.makeOwnerLink());
  await page.getByRole("button", { name: "Sign in as Ada Okafor" }).click();
  await expect(page).toHaveURL(`${server.origin}/app/acme`);
  await page.goto(`${server.origin}/app/me`);
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByText(/^You can sign in with/)).toBeVisible();
  const buttons = page.getByRole("button", { name: /^Delete .*…$/ });
  for (const left of [1, 0]) {
    await expect(buttons).toHaveCount(left + 1);
    await buttons.first().click();
    const question = page.getByRole("alertdialog", { name: /^Delete the passkey/ });
    if (left === 0) await expect(question).toContainText("It is your only way to sign in");
    await question.getByRole("button", { name: "Delete the passkey" }).click();
    await expect(question).toBeHidden();
  }
  await expect(page.getByText("None yet")).toBeVisible();
  await signOut(page);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  // The authenticator has a passkey that the server has forgotten.
  await expect(page.getByRole("alert")).toContainText("You are not signed in.");
  expect((await cdp.send("WebAuthn.getCredentials", { authenticatorId: id })).credentials).toHaveLength(1);
  passkeys = kept;
});

test("2. a link for owners works once", async ({ browser, page, server }) => {
  const link = server.origin + server.makeOwnerLink();
  await page.goto(link);
  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(link);
  await page.getByRole("button", { name: "Sign in as Ada Okafor" }).click();
  await expect(page).toHaveURL(`${server.origin}/app/acme`);
  // Both had it open: one of them joined.
  await other.getByRole("button", { name: "Sign in as Ada Okafor" }).click();
  await expect(other.getByRole("alert")).toContainText("This link did not sign you in.");
  await other.reload();
  await expect(other.getByRole("heading", { name: "This link was already used" })).toBeVisible();
  const voided = server.makeOwnerLink();
  server.makeOwnerLink();
  await other.goto(server.origin + voided);
  await expect(other.getByRole("heading", { name: "There is no such link" })).toBeVisible();
  await context.close();
});

const GRANT = "urn:ietf:params:oauth:grant-type:device_code";

async function askForLogin(page: Page, origin: string) {
  const form = {
    client_id: "millrace-cli",
    client_name: "millrace 1.4.0",
    machine: "ada-mbp",
    system: "macOS 26.1",
  };
  const answer = await page.request.post(`${origin}/oauth/device_authorization`, { form });
  return (await answer.json()) as {
    device_code: string;
    user_code: string;
    verification_uri_complete: string;
  };
}

const poll = async (page: Page, origin: string, code: string) => {
  const form = { client_id: "millrace-cli", grant_type: GRANT, device_code: code };
  return (await (await page.request.post(`${origin}/oauth/token`, { form })).json()) as {
    [name: string]: string;
  };
};

test("3. a terminal logs in", async ({ page, server }) => {
  const login = await askForLogin(page, server.origin);
  await page.goto(login.verification_uri_complete);
  // No one is signed in yet: the link returns here.
  await expect(page).toHaveURL(/\/app\/sign-in\?next=/);
  await enterAsOwner(page, server, true);
  await page.goto(login.verification_uri_complete);
  await expect(page.getByRole("heading", { name: "Log in the CLI on ada-mbp?" })).toBeVisible();
  await expect(page.getByText("the address of this browser")).toBeVisible();
  await page.getByRole("button", { name: "Log in this machine" }).click();
  await expect(page.getByRole("heading", { name: "ada-mbp is logged in" })).toBeVisible();
  const token = await poll(page, server.origin, login.device_code);
  expect(token).toMatchObject({ token_type: "Bearer", organization: "acme", user: "Ada Okafor" });
  await page.goto(login.verification_uri_complete);
  await expect(
    page.getByRole("heading", { name: /^(This code is no longer valid|There is no such code)$/ }),
  ).toBeVisible();

  const denied = await askForLogin(page, server.origin);
  await page.goto(denied.verification_uri_complete);
  await page.getByRole("button", { name: "I did not request this" }).click();
  await expect(page.getByRole("heading", { name: "The login was denied" })).toBeVisible();
  expect(await poll(page, server.origin, denied.device_code)).toMatchObject({ error: "access_denied" });
  await page.goto(`${server.origin}/app/device?code=BBBB-BBBB`);
  await expect(page.getByRole("heading", { name: "There is no such code" })).toBeVisible();
});

test("4. an invitation", async ({ browser, page, server }) => {
  await enterAsOwner(page, server);
  const answer = await page.request.post(
    `${server.origin}/api/millrace.v1.OrganizationService/CreateInvitation`,
    {
      data: { role: "member" },
      headers: { Origin: server.origin },
    },
  );
  const text = await answer.text();
  const path = /\/app\/join\/[\w-]+/.exec(text)?.[0] ?? text;
  const context = await browser.newContext();
  const guest = await context.newPage();
  await guest.goto(server.origin + path);
  await expect(guest.getByRole("heading", { name: "Join acme" })).toBeVisible();
  await expect(guest.getByText("Ada Okafor invites you as a member")).toBeVisible();
  await guest.getByLabel("Your name").fill("Mei Tanaka");
  await guest.getByRole("button", { name: "Join without a passkey" }).click();
  await expect(guest).toHaveURL(`${server.origin}/app/acme`);
  await guest.goto(`${server.origin}/app/me`);
  await expect(guest.getByRole("heading", { name: "Mei Tanaka", level: 1 })).toBeVisible();
  await expect(guest.getByRole("region", { name: "Organizations" })).toContainText(/acme\s*Member/);
  await guest.goto(`${server.origin}/console`);
  await expect(
    guest.getByRole("heading", { name: "Only owners can see the documentation's figures" }),
  ).toBeVisible();
  await guest.goto(server.origin + path);
  await expect(guest.getByRole("heading", { name: "This invitation is no longer valid" })).toBeVisible();
  await context.close();
});

test("5. the reference calls this server", async ({ page, server }) => {
  await enterAsOwner(page, server);
  await page.goto(`${server.origin}/app/api#AccountService/WhoAmI`);
  await page.getByRole("button", { name: "Send" }).click();
  const body = page.getByRole("region", { name: "Response body" });
  await expect(body).toContainText('"user": "Ada Okafor"');
  await page.goto(`${server.origin}/app/api#ProjectService/Create`);
  await page.reload();
  await page.getByLabel("Request body, JSON").fill('{"name": "web"}');
  await page.getByRole("button", { name: "Send" }).click();
  await expect(body).toContainText(/"prj_\w+"/);
  await page.setViewportSize({ width: 390, height: 844 });
  const heading = page.getByRole("heading", { name: "TokenService/Create" });
  await page.goto(`${server.origin}/app/api#TokenService/Create`);
  // A reload brings back where the page was scrolled to: it must be there first.
  await expect(heading).toBeInViewport();
  await page.reload();
  await expect(heading).toBeInViewport();
  await page.goto("about:blank");
  await page.goto(`${server.origin}/app/api#TokenService/Create`);
  await expect(heading).toBeInViewport();
});

test("6. keys stay out of logs and counts; pages are small", async ({ page, server }) => {
  const { sizeOf } = recordSizes(page);
  await page.goto(`${server.origin}/app/sign-in`, { waitUntil: "load" });
  const script = (await sizeOf(/javascript/)) + (await inlineScriptBytes(page));
  expect(script, "JavaScript").toBeLessThanOrEqual(76 * KB);
  expect(await sizeOf(/text\/css/), "CSS").toBeLessThanOrEqual(6.5 * KB);
  expect(await sizeOf(/font/), "fonts").toBeLessThanOrEqual(39 * KB);
  const page404 = await page.request.get(`${server.origin}/app/start/${"4F7Q-2MXR-9KTD"}`);
  expect(page404.headers()["referrer-policy"]).toBe("no-referrer");
  expect(page404.headers()["cache-control"]).toBe("no-store");
  expect(page404.headers()["content-security-policy"]).not.toMatch(/script-src[^;]*unsafe-inline/);
  await enterAsOwner(page, server);
  const report = await page.request.get(`${server.origin}/console/api/pages`);
  expect(await report.text()).not.toContain("/app");
  expect(server.output().split(server.firstLink)).toHaveLength(2);
});
