/**
 * Settings of acme on a real server: members, tokens, trust relationships, the audit log.
 *
 * 1. An invitation's link is shown once; roles change after a question; the last owner learns why they stay.
 * 2. A token is made once, also when its answer was lost and it is asked for again. Its secret is shown once, and is
 *    never again in the page, the address, the storage or the history. A revocation can be taken back. A project's
 *    read-only token is described before it exists, in the list and in the audit log, and works as described.
 * 3. While someone types, the tester says which of the last jobs would get a token, why one would not, and what is too
 *    wide. If two people change the same project, the second learns of it, and loses nothing. A pasted token is tried.
 * 4. The audit log is in words, searched by the server, with details next to it.
 * 5. Members see what they may do, and who may do the rest.
 * 6. A part that cannot be read says why, and is read again. Everywhere: axe finds nothing in either theme, dialogs and
 *    side columns open.
 */
import type { Locator, Page } from "@playwright/test";
import { askEverything, expect, PEOPLE, PROJECTS, test } from "./acme.ts";
import { expectAccessible } from "./axe.ts";
import { placesWith } from "./places-with.ts";
import { tryAgain } from "./try-again.ts";

test.use({ expectedErrors: /status of (400|503)/ });

const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 });
const rowOf = (page: Page, name: string | RegExp) =>
  page.getByRole("row").filter({ has: page.getByRole("rowheader", { name }) });

const isCut = (element: Locator) =>
  element.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);

test("1. members and invitations", async ({ page, acme }) => {
  await page.goto(acme.at("settings/members"));
  await expect(heading(page, "Members")).toBeVisible();
  await expect(rowOf(page, /Ruth Adeyemi/)).toContainText("Owner");
  await expect(rowOf(page, "sam@acme.example")).toContainText("Invited as member");
  await expect(page.getByText("5 people in acme.")).toBeVisible();
  await expect(page.getByText("5 members, 1 invitation.")).toBeVisible();
  await expect(page.getByRole("rowheader").last()).toContainText("sam@acme.example");
  await expectAccessible(page, { withColours: true });

  await page.getByRole("button", { name: /^Invite/ }).click();
  await expect(page).toHaveURL(/\?new=1$/);
  const dialog = page.getByRole("dialog", { name: "Invite someone to acme" });
  await expect(dialog.getByLabel("Mail, if you know it")).toBeFocused();
  await page.keyboard.type("no address");
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Mail, if you know it")).toHaveAccessibleDescription(/must be an address/);
  await dialog.getByLabel("Mail, if you know it").fill("zoe@acme.example");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Make a link" }).click();
  const once = page.getByRole("region", { name: "A link for zoe@acme.example was created" });
  await expect(once).toContainText(/\/app\/join\/[\w-]+/);
  await expect(rowOf(page, "zoe@acme.example")).toContainText("Invited as member");
  const link = /\/app\/join\/([\w-]+)/.exec(await once.innerText())?.[1] ?? "no link";
  await once.getByRole("button", { name: "I have copied it" }).click();
  await expect(once).toBeHidden();
  expect(await page.content()).not.toContain(link);
  expect(page.url()).not.toContain(link);

  await rowOf(page, /Ruth Adeyemi/)
    .getByRole("button", { name: "Actions for Ruth Adeyemi" })
    .click();
  await page.getByRole("menuitem", { name: "Make member…" }).click();
  const question = page.getByRole("alertdialog", { name: "Make Ruth Adeyemi a member?" });
  await expect(question.getByRole("button", { name: "Keep the role" })).toBeFocused();
  await question.getByRole("button", { name: "Make member" }).click();
  await expect(rowOf(page, /Ruth Adeyemi/)).toContainText("Member");
  await page.goto(acme.at(`settings/members?do=remove&row=${PEOPLE.ada.id}`));
  const told = page.getByRole("dialog", { name: "Ada Okafor is the only owner of acme" });
  await expect(told).toContainText("Make another member an owner first.");
  await told.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("complementary", { name: "Details" })).toContainText(PEOPLE.ada.id);
  await expectAccessible(page);
  // Next to the details there is less room: the mail is cut before the name is.
  for (const { name } of Object.values(PEOPLE))
    expect(await isCut(page.getByRole("rowheader").getByText(name, { exact: true })), name).toBe(false);
});

test("2. a token's secret is shown once", async ({ page, acme }) => {
  await page.goto(acme.at("settings/tokens"));
  await expect(page.getByText(/^5 tokens/)).toBeVisible();
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "New token" });
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await expect(page).toHaveURL(/\?new=1$/);
  await page.goBack();
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: /^New token/ }).click();
  await dialog.getByLabel("Name").fill("release script");
  await dialog.getByRole("radio", { name: /^Organization/ }).check();
  await expect(dialog).toContainText("May not create tokens, invite members or set secrets.");
  await dialog.getByRole("button", { name: "A date" }).click();
  await dialog.getByRole("button", { name: "Create the token" }).click();
  await expect(dialog.getByLabel("Last day")).toHaveAccessibleDescription("Choose the last day.");
  await dialog.getByRole("button", { name: "30 days" }).click();
  await expectAccessible(page);
  // The server makes the token, and its answer is lost.
  await page.route(
    /TokenService\/Create$/,
    async (route) => {
      await route.fetch();
      await route.fulfill({ status: 503, json: { code: "unavailable", message: "a proxy gave up" } });
    },
    { times: 1 },
  );
  await dialog.getByRole("button", { name: "Create the token" }).click();
  await expect(dialog.getByRole("alert")).toContainText("A proxy gave up.");
  await dialog.getByRole("button", { name: "Create the token" }).click();
  const once = page.getByRole("region", { name: "release script was created" });
  await expect(once).toBeVisible();
  await expect(rowOf(page, /release script/)).toHaveCount(1);
  const secret = /mr_org_\w+/.exec(await once.innerText())?.[0] ?? "no secret";
  expect(secret.length).toBeGreaterThan(30);
  await expectAccessible(page);
  await once.getByRole("button", { name: "I have copied it" }).click();
  await expect(once).toBeHidden();
  expect(await placesWith(page, secret)).toEqual([]);
  await page.goto(acme.at("settings/members"));
  await page.goBack();
  await expect(rowOf(page, /release script/)).toHaveCount(1);
  expect(await placesWith(page, secret)).toEqual([]);
});

test("2. the key for a new token works as soon as its button is seen @one-width", async ({ page, acme }) => {
  await page.addInitScript(() => {
    // It looks before the browser paints.
    const observer = new MutationObserver(() => {
      const buttons = [...document.querySelectorAll("main button")];
      if (!buttons.some(({ textContent }) => textContent.startsWith("New token"))) return;
      observer.disconnect();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "n", bubbles: true }));
    });
    observer.observe(document, { subtree: true, childList: true });
  });
  await page.goto(acme.at("settings/tokens"));
  await expect(page.getByRole("dialog", { name: "New token" })).toBeVisible();
});

test("2. a token that only pulls", async ({ page, acme }) => {
  await page.goto(acme.at("settings/tokens?new=1"));
  const dialog = page.getByRole("dialog", { name: "New token" });
  await dialog.getByLabel("Name").fill("cluster pulls");
  await dialog.getByRole("combobox", { name: "Project" }).selectOption("web");
  await expect(dialog).toContainText("May build, push and pull web.");
  const readOnly = dialog.getByRole("checkbox", { name: "Read-only: it may only pull images", exact: true });
  await readOnly.check();
  await expect(dialog).toContainText("May pull the images of web, and do nothing else.");
  await dialog.getByRole("radio", { name: /^Organization/ }).check();
  await expect(dialog).toContainText(
    /May pull the images of every project of acme and read from its remote cache, and do nothing else\./,
  );
  await dialog.getByRole("radio", { name: /^Project/ }).check();
  await expect(readOnly).toBeChecked();
  await expectAccessible(page);
  const answered = page.waitForResponse(/TokenService\/Create$/);
  await dialog.getByRole("button", { name: "Create the token" }).click();
  const { secret } = (await (await answered).json()) as { secret: string };
  const once = page.getByRole("region", { name: "cluster pulls was created" });
  await expect(once).toContainText("May pull the images of web, and do nothing else.");
  await once.getByRole("button", { name: "I have copied it" }).click();
  await expect(rowOf(page, /cluster pulls/)).toContainText("pull web");
  await page.goto(acme.at("settings/audit?q=cluster"));
  await expect(page.getByText("cluster pulls, mr_prj_, read-only")).toBeVisible();
  const call = async (method: string, body: object) => {
    const headers = { authorization: `Bearer ${secret}` };
    const answer = await page.request.post(`${acme.origin}/api/millrace.v1.${method}`, {
      headers,
      data: body,
    });
    return answer.status();
  };
  expect(await call("ImageService/List", { project_id: PROJECTS.web })).toBe(200);
  expect(await call("ImageService/Delete", { project_id: PROJECTS.web, reference: "latest" })).toBe(403);
  expect(await call("BuildService/CreateBuild", { project_id: PROJECTS.web })).toBe(403);
});

test("2. revoking, and taking it back", { tag: "@one-width" }, async ({ page, acme }) => {
  await page.goto(acme.at("settings/tokens"));
  await rowOf(page, /old Jenkins/)
    .getByRole("button", { name: "Revoke old Jenkins…" })
    .click();
  const question = page.getByRole("alertdialog", { name: "Revoke old Jenkins?" });
  await expect(question).toContainText("from 10.0.2.6");
  await expect(question.getByRole("button", { name: "Keep it" })).toBeFocused();
  await question.getByRole("button", { name: "Revoke", exact: true }).click();
  // A row stays while a pointer is on it.
  await page.mouse.move(4, 4);
  await expect(rowOf(page, /old Jenkins/)).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rowOf(page, /old Jenkins/)).toHaveCount(1);
});

const WEB = `settings/trust?row=${PROJECTS.web}:0`;

test("3. jobs that are not counted yet are not said to be none @one-width", async ({ page, acme }) => {
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await askEverything(page);
  await page.route("**/millrace.v1.TokenService/ListExchanges", async (route) => {
    await asked;
    await route.continue();
  });
  await page.goto(acme.at("settings/trust"));
  const counts = rowOf(page, "github:acme/web").getByRole("cell");
  await expect(counts.filter({ hasText: /^–$/ })).toHaveCount(2);
  answer();
  await expect(counts.filter({ hasText: /^9 / })).toHaveCount(1);
  await expect(counts.filter({ hasText: /^1 / })).toHaveCount(1);
});

test("3. the tester of trust relationships", async ({ page, acme }) => {
  await page.goto(acme.at(WEB));
  const form = page.getByRole("form", { name: "Edit github:acme/web" });
  await expect(form).toContainText("9 of the last 10 jobs would get a token.");
  const checks = page.getByRole("region", { name: "Claims of the refused job" });
  await expect(checks.getByRole("row").filter({ hasText: "refs/pull/418/merge" })).toContainText("Differs");
  await expect(page.getByText(/To let pull requests build as well, remove ref/)).toBeVisible();
  await expectAccessible(page);
  await form.getByLabel("Value of repository", { exact: true }).fill("acme/nothing");
  await expect(form).toContainText("None of the last 10 jobs would get a token.");
  await form.getByLabel("Value of repository", { exact: true }).fill("acme/web");
  await expect(form).toContainText("9 of the last 10 jobs would get a token.");

  await form.getByRole("button", { name: "GitLab" }).click();
  await expect(form.getByLabel("Issuer")).toHaveValue("https://gitlab.com");
  await expect(form).toContainText("Anybody at GitLab would get a token.");
  await form.getByLabel("Value of project_path").fill("acme/web");
  await expect(form).not.toContainText("Anybody at GitLab");

  await page.getByRole("button", { name: "Test a token…" }).click();
  const tester = page.getByRole("dialog", { name: "Test a token" });
  const claims = { iss: "https://gitlab.com", aud: acme.origin, project_path: "acme/infra" };
  await tester.getByLabel("Relationship").selectOption("gitlab:acme/infra in web");
  await tester.getByLabel("OIDC token, or its claims as JSON").fill(JSON.stringify(claims));
  await tester.getByRole("button", { name: "Test", exact: true }).click();
  await expect(tester).toContainText("It would be refused");
  await expect(tester.getByRole("row", { name: /environment/ })).toContainText("nothing");
  await expectAccessible(page);
  await tester.getByRole("button", { name: "Close" }).click();
});

test("3. two people change the same project", { tag: "@one-width" }, async ({ browser, page, acme }) => {
  await page.goto(acme.at(WEB));
  const form = page.getByRole("form", { name: "Edit github:acme/web" });
  await form.getByRole("button", { name: "environment" }).click();
  await form.getByLabel("Value of environment").fill("production");

  const context = await browser.newContext();
  await acme.enter(context, "ruth");
  const other = await context.newPage();
  await other.goto(acme.at(`settings/trust?do=delete&row=${PROJECTS.web}:1`));
  await other.getByRole("alertdialog").getByRole("button", { name: "Delete it" }).click();
  await other.mouse.move(4, 4);
  await expect(rowOf(other, /gitlab:acme\/infra/)).toHaveCount(0);
  await expect(rowOf(other, /github:acme\/web/)).toHaveCount(1);
  await context.close();

  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByRole("alert")).toContainText("Someone else saved first.");
  await expect(form.getByLabel("Value of environment")).toHaveValue("production");
  await form.getByRole("button", { name: "Save mine too" }).click();
  await expect(form.getByRole("alert")).toBeHidden();
  await expect(rowOf(page, /gitlab:acme\/infra/)).toHaveCount(0);
  await expect(rowOf(page, /github:acme\/web/)).toHaveCount(1);
  await page.reload();
  await expect(form.getByLabel("Value of environment")).toHaveValue("production");
});

test("4. the audit log", async ({ page, acme }) => {
  await page.goto(acme.at("settings/audit"));
  await expect(page.getByText("invited member")).toBeVisible();
  const cell = page.getByRole("cell", { name: "Ruth Adeyemi, member → owner" });
  await expect(cell).toBeVisible();
  expect(await isCut(cell)).toBe(false);
  await expectAccessible(page);
  const asked = page.waitForRequest((request) => (request.postData() ?? "").includes('"query":"staging"'));
  await page.getByPlaceholder("Person, action, object").fill("staging");
  await asked;
  await expect(page.getByText("staging-deploy, mr_prj_")).toBeVisible();
  await expect(page.getByText("invited member")).toBeHidden();
  await expect(page).toHaveURL(/q=staging/);
  await page.getByRole("rowheader").getByRole("button").first().click();
  const details = page.getByRole("complementary", { name: "Details" });
  await expect(details).toContainText("10.0.4.17");
  await expectAccessible(page);
  await details.getByRole("link", { name: "All of this kind" }).click();
  await expect(page).toHaveURL(/\?action=token\.create$/);
  await page.goto(acme.at("settings/audit?q=nothing-like-this"));
  await expect(page.getByText(/^No lines match/)).toBeVisible();
});

test.describe("a member", () => {
  test.use({ as: "ben" });

  test("5. sees what they may", { tag: "@one-width" }, async ({ page, acme }) => {
    await page.goto(acme.at("settings/members?new=1"));
    await expect(rowOf(page, /Ada Okafor/)).toContainText("Owner");
    await expect(page.getByRole("button", { name: /^Invite/ })).toHaveCount(0);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(rowOf(page, "sam@acme.example")).toHaveCount(0);
    await expect(page.getByRole("button", { name: /^Actions for/ })).toHaveCount(1);
    await expectAccessible(page);
    await page.goto(acme.at("settings/tokens?new=1"));
    const dialog = page.getByRole("dialog", { name: "New token" });
    await expect(dialog.getByRole("radio", { name: /^Organization/ })).toBeDisabled();
    await expect(dialog).toContainText("Owners create tokens of the organization.");
    await page.goto(acme.at(WEB));
    await expect(page.getByRole("complementary", { name: "Details" })).toContainText("refs/heads/main");
    await expect(page.getByRole("button", { name: /^New relationship/ })).toHaveCount(0);
    await expectAccessible(page);
    await page.goto(acme.at("settings/audit"));
    await expect(page.getByText("Owners read the audit log")).toBeVisible();
    await expect(page.getByText(/Ada Okafor and Ruth Adeyemi are its owners/)).toBeVisible();
    await expectAccessible(page);
  });
});

test(
  "6. a list that cannot be read says why, and is asked for again",
  { tag: "@one-width" },
  async ({ page, acme }) => {
    let isAway = true;
    await askEverything(page);
    await page.route(/TokenService\/List$/, (route) =>
      isAway
        ? route.fulfill({ status: 503, json: { code: "unavailable", message: "database is locked" } })
        : route.continue(),
    );
    await page.goto(acme.at("settings/tokens"));
    const failure = page.getByRole("alert").filter({ hasText: "Tokens cannot be read" });
    await expect(failure).toContainText("503, “Database is locked”", { timeout: 15_000 });
    await expectAccessible(page);
    isAway = false;
    await tryAgain(page);
    await expect(page.getByText(/^5 tokens/)).toBeVisible();
  },
);
