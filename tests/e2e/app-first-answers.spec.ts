/**
 * Pages that come with the answers to their screen's first questions.
 *
 * 1. Each screen shows the answers in its page, and does not ask for them again.
 * 2. Names with markup appear unchanged.
 * 3. The page's source has nothing of it for a signed-out person or a member of another organization.
 * 4. Answers that have become old are asked for again.
 * 5. A page that was cut off asks for everything.
 * 6. Another person's change between the page's answers and the opening of its stream is seen without a reload, however
 *    long that takes, also in a page that asked for everything; a stream that opens after nothing has changed asks for
 *    nothing.
 */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Page } from "@playwright/test";
import { hostileRecords } from "../fixtures/hostile-records.ts";
import { type Acme, askEverything, expect, PROJECTS, test } from "./acme.ts";

const isQuestion = /\/auth\/state$|\/first-run$|\/api\/millrace\.v1\./;

function listenTo(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (isQuestion.test(pathname)) asked.push(pathname);
  });
  return asked;
}

/** The page's source, as a browser asks for it. */
async function sourceOf({ origin }: Acme, page: Page, path: string): Promise<string> {
  let source = "";
  // Read on the way: the browser forgets a page that redirects immediately, and its source.
  await page.route(origin + path, async (route) => {
    // For an intercepted request, the browser has not yet set its destination.
    const headers = { ...route.request().headers(), "sec-fetch-dest": "document" };
    const response = await route.fetch({ headers });
    source = await response.text();
    await route.fulfill({ response });
  });
  await page.goto(origin + path);
  return source;
}

/** A server that is too busy sends its page without answers that are late (`src/app/.server/limits.ts`): it is opened again. */
const whileQuick = (open: () => Promise<void>) => expect(open).toPass({ timeout: 20_000 });

const answersIn = (source: string) => /id="first-answers">([^<]*)</.exec(source)?.[1] ?? "";

const SCREENS: readonly [path: string, text: RegExp, later?: string[]][] = [
  ["", /Latest changes/],
  ["projects", /prj_7q4hx2n9ds/],
  ["projects/web", /refs\/heads\/main/],
  ["settings/tokens", /staging-deploy/],
  ["settings/members", /Tomás Rey/],
  ["settings/audit", /sam@acme\.example/],
  // Shares of the projects that turn out to have the most.
  ["usage", /Jobs that asked for a token/, ["/api/millrace.v1.UsageService/GetUsage"]],
];

for (const [path, text, later = []] of SCREENS)
  test(`1. ${path || "overview"}`, async ({ acme, page }) => {
    const asked = listenTo(page);
    await whileQuick(async () => {
      asked.length = 0;
      await page.goto(acme.at(path));
      await expect(page.locator("#frame").getByText(text).first()).toBeVisible();
      await expect(page.locator("#frame [aria-busy='true']")).toHaveCount(0);
      expect(asked.filter((each) => !later.includes(each))).toEqual([]);
    });
    await expect(page.locator("#first-answers")).toHaveCount(0);
  });

test("2. names with markup", async ({ acme, page }) => {
  acme.fill(hostileRecords);
  const asked = listenTo(page);
  await whileQuick(async () => {
    asked.length = 0;
    await page.goto(acme.at("projects/web"));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(asked.filter((each) => each.endsWith("/auth/state"))).toEqual([]);
  });
  expect(await page.evaluate(() => document.querySelectorAll("body > :not(#frame, noscript)").length)).toBe(
    0,
  );
});

test.describe("nobody", () => {
  test.use({ as: null });

  test("3. signed out", async ({ acme, page, context }) => {
    const value = "never-a-session";
    await context.addCookies([{ name: "millrace-session", value, url: acme.origin }]);
    await page.route("**/app/sign-in*", (route) => route.fulfill({ body: "" }));
    const source = await sourceOf(acme, page, "/app/acme/settings/tokens");
    expect(source).toContain("</html>");
    expect(source).not.toContain("first-answers");
    expect(source).not.toContain("staging-deploy");
    await page.waitForURL("**/app/sign-in*");
  });
});

test("3. another organization", async ({ acme, page }) => {
  let source = "";
  await whileQuick(async () => {
    source = await sourceOf(acme, page, "/app/somebody-elses/settings/tokens");
    expect(answersIn(source)).not.toBe("");
  });
  expect((JSON.parse(answersIn(source)) as [[string], unknown][]).map(([[noun]]) => noun)).toEqual([
    "organizations",
  ]);
});

test("4. an old page", async ({ acme, page }) => {
  await page.addInitScript(() => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 60_000;
  });
  const asked = page.waitForRequest("**/api/millrace.v1.TokenService/List");
  await page.goto(acme.at("settings/tokens"));
  await asked;
  await expect(page.getByText("staging-deploy").first()).toBeVisible();
});

test("5. without them", async ({ acme, page }) => {
  await askEverything(page);
  const asked = listenTo(page);
  await page.goto(acme.at("settings/tokens"));
  await expect(page.getByText("staging-deploy").first()).toBeVisible();
  expect(asked).toContain("/auth/state");
  expect(asked).toContain("/api/millrace.v1.TokenService/List");
});

/** As if all events were a minute old: older than a stream looks back on its own. */
function ageEvents({ server }: Acme): void {
  const db = new DatabaseSync(join(server.dataDir, "millrace.db"), { timeout: 10_000 });
  db.exec("UPDATE events SET time = time - 60000");
  db.close();
}

for (const how of ["with the page", "asked for"])
  test(`6. changed before the stream opens, answers ${how}`, async ({ acme, page, browser }) => {
    const { origin } = acme;
    if (how === "asked for") await askEverything(page);
    const changed = Promise.withResolvers<void>();
    await page.route("**/app/acme/events*", async (route) => {
      await changed.promise;
      await route.continue();
    });
    await page.goto(acme.at("projects"));
    await expect(page.getByRole("link", { name: "worker", exact: true })).toBeVisible();
    await expect(page.locator("#frame [aria-busy='true']")).toHaveCount(0);

    const context = await browser.newContext();
    await acme.enter(context, "tomas");
    const answer = await context.request.post(`${origin}/api/millrace.v1.ProjectService/Update`, {
      data: { project_id: PROJECTS.web, name: "storefront" },
      headers: { "Millrace-Org": "acme" },
    });
    expect(answer.status()).toBe(200);
    await context.close();
    ageEvents(acme);
    await expect(page.getByRole("link", { name: "storefront" })).toHaveCount(0);
    changed.resolve();
    await expect(page.getByRole("link", { name: "storefront" })).toBeVisible();
    await expect(page.getByRole("link", { name: "web", exact: true })).toHaveCount(0);
  });

test("6. nothing changed", async ({ acme, page, browser }) => {
  const { origin } = acme;
  const context = await browser.newContext();
  await acme.enter(context, "ada");
  const created = await context.request.post(`${origin}/api/millrace.v1.ProjectService/Create`, {
    data: { name: "just-before" },
    headers: { "Millrace-Org": "acme" },
  });
  expect(created.status()).toBe(200);
  await context.close();
  const asked = listenTo(page);
  await whileQuick(async () => {
    asked.length = 0;
    await page.goto(acme.at("projects"));
    await expect(page.getByRole("link", { name: "just-before" })).toBeVisible();
    await expect(page.getByRole("banner").getByText("Live", { exact: true })).toBeVisible();
    // The stream's content arrives with its first message, and is asked for in the next frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    expect(asked).toEqual([]);
  });
});
