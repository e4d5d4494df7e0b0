/**
 * Mail and an OIDC provider, on a server of its own with both, and servers on this machine behind them.
 * 1. The first owner proves their address with the link that is mailed. 2. The page that asks for a link waits until it
 *    is opened in another tab of the same browser, then both continue; in another browser it is refused. Strangers see
 *    the same and get nothing. 3. The provider's person is not a member until they are invited. A provider that is unreachable
 *    is reported.
 * 4. People with two-step sign-in are asked for the second step after a provider and after a link by mail, for which
 *    another tab waits meanwhile.
 */
import type { Page } from "@playwright/test";
import { startTestSmtp, type TestSmtp } from "#accounts/testing/smtp.ts";
import { startTestIssuer, type TestIssuer } from "#accounts/testing/issuer.ts";
import { codeOf, forgetUsedCodes, setUpApp } from "./authenticator-app.ts";
import {
  accountButton,
  enterAsOwner,
  expect,
  openServer,
  type Server,
  signOut,
  test as base,
} from "./console-server.ts";

interface Around {
  smtp: TestSmtp;
  issuer: TestIssuer;
  mailed: Server;
}

async function openAround() {
  const [smtp, issuer] = await Promise.all([startTestSmtp(), startTestIssuer()]);
  const mailed = await openServer({
    MILLRACE_SMTP_URL: smtp.url,
    MILLRACE_MAIL_FROM: "Millrace <millrace@acme.example>",
    MILLRACE_OIDC_ISSUER: issuer.origin,
    MILLRACE_OIDC_CLIENT_ID: "millrace",
    MILLRACE_OIDC_CLIENT_SECRET: "s3cret",
    MILLRACE_OIDC_NAME: "Acme ID",
    MILLRACE_OIDC_PRIVATE_ISSUERS: issuer.host,
  });
  const close = () => Promise.all([mailed, smtp, issuer].map((each) => each.close()));
  return { smtp, issuer, mailed, close };
}

let started: ReturnType<typeof openAround> | undefined;

const test = base.extend<{ around: Around }>({
  around: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      started ??= openAround();
      await use(await started);
    },
    { timeout: 60_000 },
  ],
});

test.describe.configure({ mode: "serial" });
test.afterAll(async () => (await started)?.close());
test.use({ expectedErrors: /status of (400|401|403|404|429)/ });

/** The path of the link that was mailed to an address. */
async function linkFor(smtp: TestSmtp, address: string): Promise<string> {
  // Long lines are broken; mail programs join them again.
  const find = () =>
    smtp.mails
      .filter(({ to }) => to.includes(address))
      .map(({ text }) => /\/app\/mail\/[\w-]+/.exec(text.replaceAll("=\n", ""))?.[0])
      .find(Boolean);
  await expect.poll(find).toBeTruthy();
  return find() ?? "";
}

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name, level: 1 });

/** Signs in as the owner, and invites. @returns the path of the invitation */
async function invite(page: Page, { mailed }: Around, data: object): Promise<string> {
  await enterAsOwner(page, mailed);
  const address = `${mailed.origin}/api/millrace.v1.OrganizationService/CreateInvitation`;
  const text = await (await page.request.post(address, { data })).text();
  return /\/app\/join\/[\w-]+/.exec(text)?.[0] ?? text;
}

async function askForLink(page: Page, origin: string, mail: string) {
  await page.goto(`${origin}/app/sign-in?next=/app/api`);
  await page.getByLabel("Mail").fill(mail);
  await page.getByRole("button", { name: "Send me a link" }).click();
  await expect(heading(page, "Check your mail")).toBeVisible();
}

test("1. the first owner proves their address", async ({ page, around: { smtp, mailed } }) => {
  await page.goto(mailed.origin + mailed.firstLink);
  await page.getByLabel("Your name").fill("Ada Okafor");
  await page.getByLabel("Mail").fill("ada@acme.example");
  await page.getByRole("button", { name: "Create, and get a link by mail" }).click();
  await expect(accountButton(page, "Ada Okafor")).toBeVisible();
  await page.goto(mailed.origin + (await linkFor(smtp, "ada@acme.example")));
  await page.getByRole("button", { name: "Sign in with this link" }).click();
  await expect(accountButton(page, "Ada Okafor")).toBeVisible();
  // The address is proved, so it identifies its person.
  await page.goto(`${mailed.origin}/app/sign-in`);
  await page.getByRole("button", { name: "Sign in as someone else" }).click();
  await page.getByLabel("Mail").fill("ada@acme.example");
  await page.getByRole("button", { name: "Send me a link" }).click();
  // The last mail was sent a moment ago: a browser in which this person has signed in need not wait.
  await expect(heading(page, "Check your mail")).toBeVisible();
  await expect.poll(() => smtp.mails.filter(({ to }) => to.includes("ada@acme.example")).length).toBe(2);
});

test("2. a link in the same browser, in another one, and for a stranger", async ({
  browser,
  page,
  around,
}) => {
  const { smtp, mailed } = around;
  const path = await invite(page, around, { role: "member", mail: "mei@acme.example" });
  const own = await browser.newContext();
  const waiting = await own.newPage();
  await waiting.goto(mailed.origin + path);
  await waiting.getByLabel("Your name").fill("Mei Tanaka");
  await waiting.getByRole("button", { name: "Join, and get a link by mail" }).click();
  await signOut(waiting);
  await expect(heading(waiting, "Sign in")).toBeVisible();
  await askForLink(waiting, mailed.origin, "mei@acme.example");
  await expect(waiting.getByText(/at \d\d:\d\d:\d\d by 127\.0\.0\.1/)).toBeVisible();
  const link = mailed.origin + (await linkFor(smtp, "mei@acme.example"));

  const foreign = await browser.newContext();
  const other = await foreign.newPage();
  await askForLink(other, mailed.origin, "sam@acme.example");
  await other.goto(link);
  await other.getByRole("button", { name: "Sign in with this link" }).click();
  await expect(other.getByRole("alert")).toContainText("Open this link in the browser that requested it.");
  expect(smtp.mails.filter(({ to }) => to.includes("sam@acme.example"))).toEqual([]);
  await foreign.close();

  const opened = await own.newPage();
  await opened.goto(link);
  await opened.getByRole("button", { name: "Sign in with this link" }).click();
  await expect(opened).toHaveURL(`${mailed.origin}/app/api`);
  await expect(waiting).toHaveURL(`${mailed.origin}/app/api`);
  await own.close();
});

/** The provider lets everyone in immediately, as this person. */
function vouch(issuer: TestIssuer, claims: object) {
  let nonce = "";
  issuer.answer("/authorize", ({ url }, response) => {
    const { searchParams: asked } = new URL(url ?? "/", issuer.origin);
    nonce = asked.get("nonce") ?? "";
    const back = new URL(asked.get("redirect_uri") ?? "");
    back.search = new URLSearchParams({ code: "c0de", state: asked.get("state") ?? "" }).toString();
    response.writeHead(302, { Location: back.href }).end();
  });
  issuer.answer("/token", async (request, response) => {
    request.resume();
    const now = Math.floor(Date.now() / 1000);
    const signed = { aud: "millrace", sub: "u-1", iat: now, exp: now + 300, nonce, ...claims };
    const answer = { access_token: "at", token_type: "Bearer", id_token: await issuer.sign(signed) };
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
  });
}

test("3. a provider", async ({ browser, page, around }) => {
  const { issuer, mailed } = around;
  vouch(issuer, { email: "tomas@acme.example", email_verified: true, name: "Tomas Novak" });
  const path = await invite(page, around, { role: "member" });
  const context = await browser.newContext();
  const guest = await context.newPage();
  await guest.goto(`${mailed.origin}/app/sign-in`);
  await guest.getByRole("link", { name: "Continue with Acme ID" }).click();
  await expect(guest.getByRole("alert")).toContainText("tomas@acme.example is not a member here.");
  await expect(guest).toHaveURL(`${mailed.origin}/app/sign-in`);

  await guest.goto(mailed.origin + path);
  await guest.getByRole("link", { name: "Continue with Acme ID" }).click();
  await expect(accountButton(guest, "Tomas Novak")).toBeVisible();
  await signOut(guest);
  await expect(heading(guest, "Sign in")).toBeVisible();
  await guest.goto(`${mailed.origin}/app/sign-in?next=/app/api`);
  await guest.getByRole("link", { name: "Continue with Acme ID" }).click();
  await expect(guest).toHaveURL(`${mailed.origin}/app/api`);

  issuer.answer("/token", (_, response) => void response.writeHead(500).end());
  await guest.goto(`${mailed.origin}/app`);
  await signOut(guest);
  await guest.getByRole("link", { name: "Continue with Acme ID" }).click();
  await expect(guest.getByRole("alert")).toContainText("The provider does not respond.");
  await context.close();
});

test("4. a second step, after a provider and after a mail", async ({ browser, page, around }) => {
  const { smtp, issuer, mailed } = around;
  const path = await invite(page, around, { role: "member", mail: "zoe@acme.example" });
  const context = await browser.newContext();
  const waiting = await context.newPage();
  await waiting.goto(mailed.origin + path);
  await waiting.getByLabel("Your name").fill("Zoe Lind");
  await waiting.getByRole("button", { name: "Join, and get a link by mail" }).click();
  await expect(accountButton(waiting, "Zoe Lind")).toBeVisible();
  const secret = await setUpApp(waiting, mailed.origin);
  forgetUsedCodes(mailed);
  await signOut(waiting);
  await expect(heading(waiting, "Sign in")).toBeVisible();
  await askForLink(waiting, mailed.origin, "zoe@acme.example");
  const opened = await context.newPage();
  await opened.goto(mailed.origin + (await linkFor(smtp, "zoe@acme.example")));
  await opened.getByRole("button", { name: "Sign in with this link" }).click();
  await expect(opened.getByText("Two-step sign-in is on for Zoe Lind.")).toBeVisible();
  await expect(heading(waiting, "Check your mail")).toBeVisible();
  await opened.getByLabel("Code from your app").pressSequentially(codeOf(secret));
  await expect(opened).toHaveURL(/\/app\/(?!second-step)/);
  await expect(heading(waiting, "Check your mail")).toBeHidden();

  vouch(issuer, { sub: "u-2", email: "zoe@acme.example", email_verified: true, name: "Zoe Lind" });
  forgetUsedCodes(mailed);
  await signOut(opened);
  await expect(heading(opened, "Sign in")).toBeVisible();
  await opened.goto(`${mailed.origin}/app/sign-in?next=/app/api`);
  await opened.getByRole("link", { name: "Continue with Acme ID" }).click();
  await expect(heading(opened, "One more step")).toBeVisible();
  await opened.getByLabel("Code from your app").pressSequentially(codeOf(secret));
  await expect(opened).toHaveURL(`${mailed.origin}/app/api`);
  await context.close();
});
