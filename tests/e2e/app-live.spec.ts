/**
 * 1. One person's action appears in another's browser without a reload, in lists and in the server's log of events,
 *    there with the person; a refused request appears with what to do instead, and only to people who may know it.
 * 2. The server stops: the page says immediately that it is not live, then since when and what it still shows, and its
 *    colours drain. It is restarted: the page catches up, with nothing lost and nothing twice.
 * 3. Signed out elsewhere: the page stays and asks to sign in.
 * 4. A step of the first day ticks in an open page when another client does it: a project is made, a token is used.
 * 5. With too many open pages, the oldest says that it is not live, on narrow screens too, and continues on request.
 */
import type { APIRequestContext, Page } from "@playwright/test";
import { cookieOf } from "../fixtures/acme-records.ts";
import type { Records } from "../fixtures/replace-records.ts";
import { expect, PEOPLE, PROJECTS, test } from "./acme.ts";
import { expectAccessible } from "./axe.ts";
import { overflowOf } from "./overflow.ts";

// The browser logs that the server is unreachable.
test.use({
  expectedErrors: /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE|ERR_EMPTY|status of 401/,
});

interface CallOf {
  request: APIRequestContext;
  origin: string;
}

async function call(
  { request, origin }: CallOf,
  method: string,
  data: object,
  headers: { [name: string]: string } = {},
) {
  const url = `${origin}/api/millrace.v1.${method}`;
  const answer = await request.post(url, { data, headers: { "Millrace-Org": "acme", ...headers } });
  return {
    status: answer.status(),
    body: (await answer.json()) as { secret?: string; project?: { id: string } },
  };
}

const mark = (page: Page, word: string) => page.getByRole("banner").getByText(word, { exact: true });
const heardBy = (page: Page) => page.getByRole("log", { name: "Latest events" });
const band = (page: Page) => page.getByRole("status").filter({ hasText: "Connection lost" });

test("1. two people", async ({ page, acme, browser }) => {
  const { origin } = acme;
  const context = await browser.newContext();
  await acme.enter(context, "ben");
  const other = await context.newPage();
  await page.goto(acme.at("?checklist=1"));
  await other.goto(acme.at("projects"));
  await Promise.all([page, other].map((each) => expect(mark(each, "Live")).toBeVisible()));
  await expect(other.getByRole("link", { name: "fresh" })).toBeHidden();

  const asAda = { request: page.request, origin };
  expect((await call(asAda, "ProjectService/Create", { name: "fresh" })).status).toBe(200);
  await expect(other.getByRole("link", { name: "fresh" })).toBeVisible();
  const line = heardBy(page).getByRole("listitem").filter({ hasText: "project fresh created" });
  await expect(line).toContainText(`by ${PEOPLE.ada.name}`);

  const token = { name: "ci", type: "project", project_id: PROJECTS.web };
  const { body } = await call(asAda, "TokenService/Create", token);
  const bearer = { authorization: `Bearer ${body.secret}` };
  const machine = { request: (await browser.newContext()).request, origin };
  const refused = await call(machine, "OrganizationService/ListMembers", {}, bearer);
  expect(refused.status).toBe(403);
  await other.goto(acme.at("?checklist=1"));
  for (const each of [page, other])
    await expect(heardBy(each)).toContainText(
      "Refused: project token ci: project tokens may not list members; use an organization token or a user token",
    );
  // Only people who may see tokens learn of new ones.
  await call(asAda, "TokenService/Create", { name: "machine", type: "org" });
  await expect(heardBy(page)).toContainText("organization token machine created");
  await call(asAda, "ProjectService/Create", { name: "later" });
  await expect(heardBy(other)).toContainText("project later created");
  await expect(heardBy(other)).not.toContainText("machine");
  await context.close();
});

test("2. the server stops and comes back", async ({ page, acme, browser }) => {
  // It restarts a server.
  test.slow();
  const { server, origin } = acme;
  await page.goto(acme.at("?checklist=1"));
  await expect(mark(page, "Live")).toBeVisible();
  const asAda = { request: page.request, origin };
  await call(asAda, "ProjectService/Create", { name: "before" });
  await expect(heardBy(page)).toContainText("project before created");
  await server.stop();
  await expect(mark(page, "Reconnecting")).toBeVisible();
  await expect(band(page)).toContainText(
    /Connection lost \d+ s ago\. Builds and jobs continue without this page\. What you see is from \d\d:\d\d:\d\d\./,
  );
  await expect(page.getByRole("main")).toHaveCSS("filter", "saturate(0.3)");
  await server.startAgain();
  const context = await browser.newContext();
  await acme.enter(context, "ben");
  await call({ request: context.request, origin }, "ProjectService/Create", { name: "meanwhile" });
  const again = page.getByRole("button", { name: "Reconnect now" });
  // It may have reconnected on its own before.
  if (await again.isVisible()) await again.click({ timeout: 1_000 }).catch(() => {});
  await expect(mark(page, "Live")).toBeVisible();
  await expect(band(page)).toBeHidden();
  for (const name of ["before", "meanwhile"])
    await expect(
      heardBy(page)
        .getByRole("listitem")
        .filter({ hasText: `project ${name} created` }),
    ).toHaveCount(1);
  await expect(page.getByRole("main")).toHaveCSS("filter", "none");
  await context.close();
});

test("3. signed out elsewhere", async ({ page, acme }) => {
  await page.goto(acme.at("projects"));
  await expect(mark(page, "Live")).toBeVisible();
  await expect(page.getByRole("link", { name: "web" })).toBeVisible();
  await call({ request: page.request, origin: acme.origin }, "AccountService/EndSignIn", { all: true });
  await expect(page.getByRole("alertdialog", { name: "Your session has ended" })).toBeVisible();
  await expect(page.getByRole("link", { name: "web", includeHidden: true })).toBeVisible();
});

/** acme on its first day. */
const beginning = (records: Records): Records => ({
  ...records,
  members: records["members"]?.filter(({ user_id }) => user_id === PEOPLE.ada.id) ?? [],
  projects: [],
  trust_relationships: [],
  tokens: [],
  exchanges: [],
});

test("4. a step ticks", async ({ page, acme, browser }) => {
  acme.fill(beginning);
  await page.goto(acme.at());
  await expect(mark(page, "Live")).toBeVisible();
  const step = (title: string | RegExp) =>
    page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
  await expect(step("Connect a directory to a project")).toBeVisible();
  const opened = await page.evaluate(() => performance.timeOrigin);

  const context = await browser.newContext();
  await acme.enter(context, "ada");
  const asAda = { request: context.request, origin: acme.origin };
  const made = await call(asAda, "ProjectService/Create", { name: "shop" });
  await expect(
    step(/^Connect a directory to a project\s*, done$/).getByRole("link", { name: /^shop/ }),
  ).toBeVisible();
  const project_id = made.body.project?.id ?? "";
  const token = await call(asAda, "TokenService/Create", { name: "ci", type: "project", project_id });
  await expect(heardBy(page)).toContainText("project token ci created");
  // It is made, but no one has used it.
  await expect(step("Let CI in with a token")).toBeVisible();
  const machine = { request: (await browser.newContext()).request, origin: acme.origin };
  const bearer = { authorization: `Bearer ${token.body.secret}` };
  expect((await call(machine, "ProjectService/Get", { project_id }, bearer)).status).toBe(200);
  // Uses are written every few seconds.
  await expect(step(/^Let CI in with a token\s*, done$/).getByRole("link", { name: "ci" })).toBeVisible({
    timeout: 20_000,
  });
  expect(await page.evaluate(() => performance.timeOrigin)).toBe(opened);
  await context.close();
});

/** As many pages as one person may have, read by a program. */
async function openOtherPages(origin: string) {
  const control = new AbortController();
  const headers = { cookie: `millrace-session=${cookieOf("ada")}` };
  for (let count = 0; count < 20; count += 1) {
    const answer = await fetch(`${origin}/app/acme/events`, { headers, signal: control.signal });
    expect(answer.status).toBe(200);
  }
  return () => control.abort();
}

for (const width of [390, 1440])
  test(`5. too many pages, ${width} wide`, async ({ page, acme }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(acme.at("projects"));
    await expect(mark(page, "Live")).toBeVisible();
    const close = await openOtherPages(acme.origin);
    const paused = page.getByRole("status").filter({ hasText: "Not live." });
    await expect(paused).toContainText(
      "Not live. You opened too many newer pages. This page reconnects when you return to it.",
    );
    await expect(mark(page, "Not live")).toBeVisible();
    await expect(page.getByRole("main")).toHaveCSS("filter", "saturate(0.3)");
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
    const again = paused.getByRole("button", { name: "Reconnect now" });
    await expect(again).toBeInViewport({ ratio: 1 });
    await expectAccessible(page, { include: ".band" });
    await again.click();
    await expect(mark(page, "Live")).toBeVisible();
    await expect(paused).toBeHidden();
    close();
  });
