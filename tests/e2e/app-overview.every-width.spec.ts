/**
 * The overview and usage, on acme's server.
 * 1. Figures, "Needs a look" and the latest changes lead to their details; the range is in the address.
 * 2. Beginners see the list: it names this server, a step ticks without a reload when the server has seen it, the list
 *    can be put away and brought back, and a link shows it. Members see what they may do. Refusals of the server are
 *    shown.
 * 3. A part that cannot be read says so, and is read again; the rest stays.
 * 4. Members do not see parts for owners only.
 * 5. Usage by month and by year, with a file; months without a count say so.
 * 6. The addresses of a missing organization and of other people's give the same answer and lead on.
 */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { Records } from "../fixtures/replace-records.ts";
import { askEverything, expect, PEOPLE, test } from "./acme.ts";
import { expectAccessible as expectAllAccessible } from "./axe.ts";
import { overflowOf } from "./overflow.ts";
import { tryAgain } from "./try-again.ts";

/** The frame around it has tests of its own. */
const expectAccessible = (page: Page, include = "#content") => expectAllAccessible(page, { include });

// The browser logs this for each refusal.
test.use({ expectedErrors: /Failed to load resource/ });

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const title = (page: Page) => page.getByRole("heading", { level: 1 });

/** acme on its first day: Ada alone. */
const beginning = (records: Records): Records => ({
  ...records,
  members: records["members"]?.filter(({ user_id }) => user_id === PEOPLE.ada.id) ?? [],
  invitations: [],
  projects: [],
  trust_relationships: [],
  tokens: [],
  usage_counts: [],
  exchanges: [],
  audit_events: [],
});

test("1. what happened, and where it is told", async ({ acme, page }) => {
  await page.goto(acme.at());
  await expect(title(page)).toHaveText(/^\w+day, \d+ \w+$/);
  await expect(page.getByText(/API calls since midnight UTC, in 3 projects/)).toBeVisible();
  await expect(page.getByText("1 refused")).toBeVisible();
  const look = region(page, "Needs a look");
  await expect(look.getByText("ref is refs/pull/418/merge, not refs/heads/main")).toBeVisible();
  await expect(look.getByRole("link", { name: /old Jenkins has been unused for 60 days/ })).toBeVisible();
  const changes = region(page, "Latest changes");
  await expect(changes.getByRole("link", { name: /changed role.*Ruth Adeyemi/ })).toBeVisible();
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await page.getByRole("button", { name: "30 days" }).click();
  await expect(page).toHaveURL(/\?range=30d$/);
  await page.reload();
  await expect(page.getByText(/API calls in 30 days/)).toBeVisible();
  await look.getByRole("link", { name: "A job of web was refused a token" }).click();
  await expect(title(page)).toHaveText("web");
  await expect(page.getByText(/pull_request at GitHub Actions was refused a token/)).toBeVisible();
});

test("2. the first day", async ({ acme, page }) => {
  acme.fill(beginning);
  await page.goto(acme.at());
  await expect(title(page)).toHaveText("Welcome to acme");
  await expect(page.getByText(`millrace login --url ${acme.origin}`)).toBeVisible();
  await expect(page.getByText("Waiting for your first login from a terminal")).toBeVisible();
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  // Steps tick in any order: the project is made here.
  await page.getByRole("link", { name: "Make the project here" }).click();
  await page.getByLabel("Name").fill("web");
  await page.getByRole("button", { name: "Create web" }).click();
  await expect(title(page)).toHaveText("web");
  await page.goto(acme.at());
  await expect(page.getByRole("link", { name: /^web prj_/ })).toBeVisible();
  await expect(page.getByText(/Create a project token for web/)).toBeVisible();
  // The list's last lines lead on: to a project's images, with the command to push one.
  await page.getByRole("link", { name: "Show how" }).click();
  await expect(page.getByRole("dialog", { name: "Push an image to web" })).toContainText("docker push");
  await page.goto(acme.at());
  await page.getByRole("button", { name: "Hide this list" }).click();
  await expect(title(page)).toHaveText(/^\w+day, \d+ \w+$/);
  await page.reload();
  await expect(region(page, "API calls, by day")).toBeVisible();
  await page.getByRole("button", { name: "Show the getting-started checklist" }).click();
  await expect(page).toHaveURL(/checklist=1/);
  await expect(title(page)).toHaveText("Welcome to acme");
});

test.describe("as a member", () => {
  test.use({ as: "ben" });

  test("2, 4. a member's list, and a member's overview", { tag: "@one-width" }, async ({ acme, page }) => {
    acme.fill((records) => ({ ...records, tokens: [] }));
    await page.goto(acme.at());
    await expect(page.getByText("Four things, about ten minutes.")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Invite a colleague" })).toHaveCount(0);
    await page.getByRole("button", { name: "Hide this list" }).click();
    await expect(region(page, "Projects").getByRole("link", { name: "worker" })).toBeVisible();
    await expect(region(page, "Latest changes")).toHaveCount(0);
    await expect(page.getByText(/has neither a passkey|only owner/)).toHaveCount(0);
    await expectAccessible(page);
  });
});

const HEARD = {
  steps: {},
  heard: [
    {
      id: "7",
      at: "2026-11-20T14:31:12Z",
      kind: "refused.project",
      subject: "tok_h4s8vd1k60",
      project: null,
      by: "deploy",
      by_id: "tok_h4s8vd1k60",
      text: "project token <b>deploy</b>: project tokens may not list members; use a user token",
      refused: true,
    },
  ],
};

test("2. what was refused is told as text", { tag: "@one-width" }, async ({ acme, page }) => {
  await askEverything(page);
  await page.route("**/first-run", (route) => route.fulfill({ json: HEARD }));
  await page.goto(acme.at());
  const heard = page.getByRole("log", { name: "Latest events" });
  await expect(heard).toContainText("Refused: project token <b>deploy</b>");
});

test.describe("failing", () => {
  test("3. a part that cannot be read", { tag: "@one-width" }, async ({ acme, page }) => {
    let isBroken = true;
    await askEverything(page);
    await page.route(/UsageService.GetUsage/, (route) =>
      isBroken
        ? route.fulfill({ status: 503, json: { code: "unavailable", message: "database is locked" } })
        : route.fallback(),
    );
    await page.goto(acme.at());
    const calls = region(page, "API calls, by day");
    await expect(calls.getByText("API calls cannot be read")).toBeVisible({ timeout: 15_000 });
    await expect(calls.getByText(/503.*Database is locked/)).toBeVisible();
    await expect(region(page, "Latest changes").getByRole("link", { name: /created token/ })).toBeVisible();
    await expectAccessible(page);
    isBroken = false;
    await tryAgain(calls);
    await expect(calls.getByText("API calls cannot be read")).toHaveCount(0);
  });
});

test("5. usage", async ({ acme, page }) => {
  await page.goto(acme.at("usage"));
  await expect(title(page)).toHaveText("Usage");
  await expect(page.getByText(/^1 (to \d+ )?\w+\. Days are counted in UTC\.$/)).toBeVisible();
  await expect(region(page, "Job tokens by project").getByRole("link", { name: "worker" })).toBeVisible();
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "CSV" }).first().click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^usage-acme-\d{4}-\d\d\.csv$/);
  const lines = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines[0]).toBe("date,api_calls,job_tokens,refused_jobs");
  expect(lines.at(-1)).toMatch(new RegExp(`^${new Date().toISOString().slice(0, 10)},\\d+,\\d+,1$`));
  await page.getByRole("button", { name: "12 months" }).click();
  await expect(page).toHaveURL(/\?range=12m$/);
  await page.goto(acme.at("usage?month=2020-02"));
  await expect(page.getByRole("heading", { name: "Nothing was counted in February 2020" })).toBeVisible();
});

test("6. what is not there, and what is not yours", { tag: "@one-width" }, async ({ acme, page }) => {
  const words: (string | null)[] = [];
  for (const path of ["/app/nobody/projects", "/app/acme/nothing"]) {
    await page.goto(acme.origin + path);
    await expect(title(page)).toHaveText("There is no such page");
    words.push(await page.getByRole("main").getByRole("paragraph").first().textContent());
  }
  expect(words[0]).toBe(words[1]);
  await expectAccessible(page);
  await page.getByRole("main").getByRole("link", { name: "Overview of acme" }).click();
  await expect(page).toHaveURL(acme.at());
});
