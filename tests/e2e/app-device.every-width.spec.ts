/**
 * `/app/device` and the API reference, with answers that the test chooses.
 * 1. A code is typed, pasted or part of the address; the client and its place are shown; approving and denying send the
 *    choice and say what happened. 2. Unknown or expired codes, an expired session, no one signed in.
 * 3. Texts of strangers are text, and nothing gets wider than the screen. 4. Missing addresses.
 * 5. The reference lists methods and shows the server's answers.
 */
import { ada, expect, HOSTILE, login, stateWith, test, time } from "./app.ts";

test.use({ expectedErrors: /Failed to load resource/ });

const user = { "GET /auth/state": stateWith({ user: ada }) };
const asked = {
  ...user,
  // Its age is shown, so it is made on request.
  "GET /oauth/device": () => login(),
  "POST /oauth/device/approve": {},
  "POST /oauth/device/deny": {},
};

test("1. approving, by keyboard", async ({ app, page }) => {
  await app.open("/device", asked);
  await expect(page).toHaveURL(/\/app\/device$/);
  await expect(page.getByLabel("Code")).toBeFocused();
  await app.expectAccessible({ withColours: true });
  await page.keyboard.type("wdj");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Code")).toHaveAccessibleDescription("A code has eight letters.");
  await page.keyboard.type("bmjht");
  await expect(page.getByLabel("Code")).toHaveValue("WDJB-MJHT");
  await page.keyboard.press("Enter");
  await expect(app.heading("Log in the CLI on ada-mbp?")).toBeFocused();
  await expect(page.getByText("Code W D J B, M J H T")).toBeAttached();
  await expect(page.getByText("10.0.4.17, the address of this browser")).toBeVisible();
  await expect(page.getByText(/1\d seconds ago, valid for 14:\d\d/)).toBeVisible();
  await app.expectAccessible();
  await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
  await page.getByLabel("Organization").selectOption("acme-labs (member)");
  await expect(page.getByText("Can do everything that you can do in acme-labs")).toBeVisible();
  await app.button("Log in this machine").press("Enter");
  await expect(app.heading("ada-mbp is logged in")).toBeFocused();
  await expect(page.getByText("It acts as you in acme-labs.")).toBeVisible();
  expect(app.sent).toEqual([
    { call: "POST /oauth/device/approve", body: { code: "WDJB-MJHT", organization: "org_4t8bz0mw2s" } },
  ]);
  await app.expectAccessible();
});

test("1. denying", { tag: "@one-width" }, async ({ app, page }) => {
  await app.open("/device?code=wdjbmjht", asked);
  await app.button("I did not request this").click();
  await expect(app.heading("The login was denied")).toBeVisible();
  expect(app.sent).toEqual([{ call: "POST /oauth/device/deny", body: { code: "WDJB-MJHT" } }]);
  await app.button("Type another code").click();
  await expect(page.getByLabel("Code")).toHaveValue("");
});

const dead = [
  [{ status: 404, code: "not_found", message: "no one waits for this code" }, "There is no such code"],
  [
    { status: 400, code: "failed_precondition", message: "the code has expired" },
    "This code is no longer valid",
  ],
] as const;

test("2. codes that log no one in", { tag: "@one-width" }, async ({ app, page }) => {
  for (const [refusal, title] of dead)
    await test.step(refusal.message, async () => {
      await app.open("/app/device?code=WDJB-MJHT", { ...user, "GET /oauth/device": refusal });
      await expect(app.heading(title)).toBeVisible();
      await expect(page.getByText("millrace login")).toBeVisible();
      await app.expectAccessible();
      await app.button("Type another code").click();
      await expect(page.getByLabel("Code")).toBeFocused();
    });
});

test(
  "2. a code that expires while it is shown, and a refused approval",
  { tag: "@one-width" },
  async ({ app, page }) => {
    const answer = { ...login(), expires_at: time(600) };
    await page.clock.install();
    await app.open("/app/device?code=WDJB-MJHT", {
      ...asked,
      "GET /oauth/device": answer,
      "POST /oauth/device/approve": {
        status: 400,
        code: "failed_precondition",
        message: "it was used already",
      },
    });
    await app.button("Log in this machine").click();
    await expect(page.getByRole("alert")).toContainText("Nothing was approved. It was used already.");
    await page.clock.fastForward(600_000);
    await expect(page.getByText("This code has expired.")).toBeVisible();
    await expect(app.button("Log in this machine")).toBeHidden();
  },
);

test("2. no one is signed in", { tag: "@one-width" }, async ({ app, page }) => {
  await app.open("/device?code=WDJB-MJHT");
  await expect(page).toHaveURL(/\/app\/sign-in\?next=%2Fapp%2Fdevice%3Fcode%3DWDJB-MJHT$/);
  app.answers = { ...app.answers, ...asked };
  await page.reload();
  await app.button("Continue").click();
  await expect(app.heading("Log in the CLI on ada-mbp?")).toBeVisible();
});

test("2. without an organization nothing can be approved", { tag: "@one-width" }, async ({ app, page }) => {
  const nobody = { ...ada, organizations: [] };
  await app.open("/device?code=WDJB-MJHT", { ...asked, "GET /auth/state": stateWith({ user: nobody }) });
  await expect(page.getByText("You belong to no organization.")).toBeVisible();
  await expect(app.button("Log in this machine")).toBeHidden();
  await expect(app.button("I did not request this")).toBeVisible();
});

test("3. machines with names of bad will", async ({ app, page }) => {
  const size = page.viewportSize() ?? { width: 1440, height: 900 };
  for (const [kind, text] of Object.entries(HOSTILE))
    await test.step(kind, async () => {
      const machine = login({ machine: text, client_name: text, system: text, address: "2001:db8::1" });
      const person = { ...ada, name: text };
      await page.setViewportSize(size);
      await app.open("/device?code=WDJB-MJHT", {
        ...asked,
        "GET /oauth/device": machine,
        "GET /auth/state": stateWith({ user: person }),
      });
      await expect(app.heading(/^Log in the CLI on/)).toContainText(text);
      await expect(page.getByText(/This browser has a different address/)).toBeVisible();
      await expect(page.locator("main img")).toHaveCount(0);
      await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
      await expect(app.button("Log in this machine")).toBeVisible();
      await page.setViewportSize({ width: 320, height: 640 });
      await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
    });
});

const account = (method: string) => `POST /api/millrace.v1.AccountService/${method}`;

test(
  "4. pages that are not there, and a server that is unreachable",
  { tag: "@one-width" },
  async ({ app, page }) => {
    await app.open("/app/sign-in/%zz", user);
    await expect(app.heading("There is no such page")).toBeVisible();
    await app.expectAccessible();
    await page.unrouteAll();
    let isAway = true;
    await page.route("**/auth/state", (route) =>
      isAway ? route.abort() : route.fulfill({ json: stateWith({ user: ada }) }),
    );
    await page.goto("/app/sign-in/nothing");
    await expect(app.heading("The server does not respond")).toBeVisible();
    isAway = false;
    await app.button("Try again").click();
    await expect(app.heading("There is no such page")).toBeVisible();
  },
);

test("5. the reference", async ({ app, page }) => {
  const who = account("WhoAmI");
  await page.goto("/openapi.json");
  const document: unknown = JSON.parse(await page.locator("body").innerText());
  await app.open("/app/api", {
    ...user,
    "GET /openapi.json": document as object,
    [who]: { status: 403, code: "permission_denied", message: "members may not" },
  });
  await expect(app.heading("API reference")).toBeVisible();
  await expect(page.getByRole("heading", { name: "AccountService/WhoAmI" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Try it" })).toBeVisible();
  await app.expectAccessible({ withColours: true });
  await expect.poll(() => app.overflow()).toBeLessThanOrEqual(0);
  await page.getByLabel("Request body, JSON").fill("{");
  await app.button("Send").click();
  await expect(page.getByText("The body is not valid JSON")).toBeVisible();
  await page.getByLabel("Request body, JSON").fill("{}");
  await page.getByLabel("Organization (Millrace-Org)").selectOption("acme-labs (member)");
  const request = page.waitForRequest(/WhoAmI/);
  await app.button("Send").click();
  expect((await request).headers()["millrace-org"]).toBe("acme-labs");
  await expect(page.getByText("403", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "Response body" })).toContainText("permission_denied");
  await app.expectAccessible();
  await page.getByText("ProjectService", { exact: true }).click();
  await page.getByRole("link", { name: "List", exact: true }).filter({ visible: true }).first().click();
  await expect(page.getByRole("heading", { name: "ProjectService/List" })).toBeFocused();
  await expect(page).toHaveURL(/#ProjectService\/List$/);
});

test("5. a reference that is something else", { tag: "@one-width" }, async ({ app, page }) => {
  await app.open("/app/api", { ...user, "GET /openapi.json": {} });
  await expect(page.getByText("This server describes no methods.")).toBeVisible();
});
