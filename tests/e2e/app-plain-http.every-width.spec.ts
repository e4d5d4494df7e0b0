/**
 * The pages in front of the application where no one can sign in: on plain http elsewhere than on localhost, and at
 * an address that is not the server's own. Each says why, and what helps: the operator sees the ways, an invited person
 * whom to ask, and no one a command that is not for them. Everywhere axe finds nothing, and nothing is wider than the
 * screen.
 */
import type { Page } from "@playwright/test";
import { expect, noMethod, stateWith, test, time } from "./app.ts";

// Requests to the second name, and browsers' messages about a header on plain http.
test.use({
  expectedErrors: /another origin: http:\/\/build\.acme\.example:3000\/|Cross-Origin-Opener-Policy/,
});

const KEY = "4F7Q-2MXR-9KTD";
const START = `GET /auth/start/${KEY}`;
const INVITATION = `GET /auth/invitation/${KEY}`;
const invitation = {
  organization: "acme",
  role: "member",
  invited_by: "Ada Okafor",
  mail: null,
  expires_at: time(3 * 86_400),
};
const ELSEWHERE = "http://build.acme.example:3000";

/** The same server by a name that browsers do not take for their own machine. */
async function nameServer(page: Page, baseURL = "") {
  await page.route(`${ELSEWHERE}/**`, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: `${baseURL}${pathname}${search}` }) });
  });
}

const plain = { methods: noMethod, origin: ELSEWHERE };

test("sign-in on plain http", async ({ app, page, baseURL }) => {
  await nameServer(page, baseURL);
  await app.open(`${ELSEWHERE}/app/sign-in`, { "GET /auth/state": stateWith(plain) });
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  const note = page.locator(".note");
  await expect(note).toContainText(
    "This browser cannot sign in here. Browsers offer passkeys only on https and on localhost.",
  );
  await expect(note).toContainText("Ask whoever runs it for one.");
  for (const way of ["TLS_CERT", "SITE_ORIGIN", "MILLRACE_SMTP_URL", "npm start -- owner-link"])
    await expect(note).toContainText(way);
  await expect(app.button("Use a passkey")).toHaveCount(0);
  await app.expectAccessible({ withColours: true });
  await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
});

test("first start on plain http", async ({ app, page, baseURL }) => {
  await nameServer(page, baseURL);
  await app.open(`${ELSEWHERE}/app/start/${KEY}`, {
    "GET /auth/state": stateWith(plain),
    [START]: { state: "first", organization: "default" },
  });
  await expect(page.locator(".note")).toContainText(
    "You stay signed in here, but cannot sign in anywhere else.",
  );
  await expect(page.locator(".note")).toContainText("TLS_CERT");
  await expect(app.button("Create without a passkey")).toBeVisible();
  await app.expectAccessible();
  await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
});

test("an invitation on plain http", async ({ app, page, baseURL }) => {
  await nameServer(page, baseURL);
  await app.open(`${ELSEWHERE}/app/join/${KEY}`, {
    "GET /auth/state": stateWith(plain),
    [INVITATION]: invitation,
  });
  await expect(app.heading("Join acme")).toBeVisible();
  await expect(page.locator(".note")).toContainText(
    "Ask whoever runs it for an https address or for links by mail",
  );
  await expect(page.getByText("If you lose the passkey, ask whoever runs this server.")).toBeVisible();
  await expect(page.getByRole("main")).not.toContainText(/npm start|TLS_CERT/);
  await app.expectAccessible();
  await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
});

test("an address that is not the server's own", async ({ app, page, baseURL }) => {
  await app.open(`/app/join/${KEY}`, {
    "GET /auth/state": stateWith({ origin: "https://build.acme.example" }),
    [INVITATION]: invitation,
  });
  await expect(page.locator(".note").first()).toContainText(
    "The address of this server is https://build.acme.example.",
  );
  await expect(page.getByRole("link", { name: "Open this page there" })).toHaveAttribute(
    "href",
    `https://build.acme.example/app/join/${KEY}`,
  );
  await expect(app.button("Join with a passkey")).toHaveCount(0);
  await app.expectAccessible();
  await nameServer(page, baseURL);
  await app.open(`${ELSEWHERE}/app/sign-in`, {
    "GET /auth/state": stateWith({ origin: "http://localhost:3000" }),
  });
  await expect(page.locator(".note").first()).toContainText(
    `Ask whoever runs the server to set SITE_ORIGIN=${ELSEWHERE}, or its https address.`,
  );
  await app.expectAccessible();
  await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
});
