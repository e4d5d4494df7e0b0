/**
 * The cache and the page of one tool, on acme's server.
 * 1. By keyboard from the list of tools to one of them and back to those that are not connected; no page is wider than
 *    the screen.
 * 2. A tool that is not connected: texts to copy name this server. A refusal appears immediately with what to do; the
 *    first accepted request turns the page from waiting to connected, and hits are counted, without a reload.
 * 3. A tool's cache is reset by its name. Writers are listed, and all entries of one of them are purged; members see
 *    who may do it.
 * 4. An empty organization and an unknown tool say what to do.
 * 5. The place has its letter and its commands.
 * 6. Misses say why, and what the hit rate would be with other quotas.
 */
import type { APIRequestContext, Page } from "@playwright/test";
import { type Acme, askEverything, expect, PROJECTS, test } from "./acme.ts";
import { noCache } from "../fixtures/cache-records.ts";
import { expectAccessible as expectAllAccessible } from "./axe.ts";
import { overflowOf } from "./overflow.ts";

/** The frame around it has tests of its own. */
const expectAccessible = (page: Page, include = "#content") => expectAllAccessible(page, { include });

// The browser logs this for each refusal.
test.use({ expectedErrors: /Failed to load resource/ });

const title = (page: Page) => page.getByRole("heading", { level: 1 });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const table = (page: Page, name: string) => page.getByRole("table", { name });

test("1. from the list of tools to one", async ({ acme, page }) => {
  await page.goto(acme.at("cache"));
  await expect(title(page)).toHaveText("Cache");
  const go = table(page, "Connected tools").getByRole("row", { name: /^Go/ });
  await expect(go).toContainText("96.2 %");
  await expect(go).toContainText("11.8 GB of 50 GB");
  await expect(page.getByText("3 tools, 39.5 GB")).toBeVisible();
  await expect(page.getByRole("slider", { name: "Requests, 14 days" })).toBeVisible();
  await expect(table(page, "Largest entries").locator("tbody tr").first()).toContainText("412 MB");
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await button(page, "14 days").click();
  await expect(page).toHaveURL(/days=14/);
  await expect(go).not.toContainText("96.2 %");
  await go.getByRole("link").press("Enter");
  await expect(title(page)).toHaveText("Go");
  await expect(page.getByText(/^[\d,]+ of [\d,]+ requests$/)).toBeVisible();
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await page.goto(acme.at("cache"));
  await button(page, "Connect a tool").press("Enter");
  await expect(page.getByRole("link", { name: /^Bazel/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(title(page)).toHaveText("Connect Bazel");
});

/** A token of ada's organization, by its secret. */
async function makeToken(request: APIRequestContext, { origin }: Acme, token: object): Promise<string> {
  const answer = await request.post(`${origin}/api/millrace.v1.TokenService/Create`, {
    headers: { Origin: origin, "Millrace-Org": "acme" },
    data: token,
  });
  const { secret } = (await answer.json()) as { secret: string };
  return secret;
}

/** Tools whose page is opened before their first request: each width has its own, for the server remembers namespaces. */
const NEWCOMERS = {
  wide: { id: "gradle", name: "Gradle", path: "8a3ef3d48d23fc968a3ef3d48d23fc96", line: "/cache/gradle/" },
  narrow: {
    id: "maven",
    name: "Maven",
    path: "v1.1/com.acme/basket/8a3ef3d48d23fc96/buildinfo.xml",
    line: "/cache/maven",
  },
};

test("2. from waiting to connected", async ({ acme, page, playwright }, { project }) => {
  const tool = project.name.startsWith("phone") ? NEWCOMERS.narrow : NEWCOMERS.wide;
  const { request: session } = page.context();
  const wrong = await makeToken(session, acme, { name: "ci", type: "project", project_id: PROJECTS.web });
  const right = await makeToken(session, acme, { name: "runners", type: "org" });
  // A build tool has no cookies.
  const client = await playwright.request.newContext();
  const address = `${acme.origin}/cache/${tool.id}/${tool.path}`;
  const as = (secret: string) => ({ headers: { Authorization: `Bearer ${secret}` } });
  await page.goto(acme.at(`cache/${tool.id}`));
  await expect(title(page)).toHaveText(`Connect ${tool.name}`);
  await expect(page.getByText("Waiting for the first request", { exact: true })).toBeVisible();
  await expect(page.locator("main figure").filter({ hasText: acme.origin + tool.line })).toBeVisible();
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);

  const log = page.getByRole("log", { name: "Latest requests" });
  expect((await client.get(address)).status()).toBe(401);
  await expect(log).toContainText(`401 refused /cache/${tool.id}/ no token`);
  await expect(page.getByText("The last request had no token.")).toBeVisible();
  expect((await client.get(address, as(wrong))).status()).toBe(403);
  await expect(log).toContainText(
    `403 refused /cache/${tool.id}/ project token ci: project tokens may not use the cache`,
  );
  await expect(page.getByText("Project tokens may not use the cache.")).toBeVisible();
  await expectAccessible(page);

  const connected = page.locator("main .head").getByText("Connected");
  await expect(connected).toHaveCount(0);
  expect((await client.get(address, as(right))).status()).toBe(404);
  await expect(connected).toBeVisible({ timeout: 15_000 });
  await expect(log).toContainText("1 miss");
  // A person who reads how to connect it is not interrupted.
  await expect(title(page)).toHaveText(`Connect ${tool.name}`);
  expect((await client.put(address, { ...as(right), data: "result" })).ok()).toBe(true);
  expect(await (await client.get(address, as(right))).text()).toBe("result");
  await expect(log).toContainText(/1 hit, 6 B served/, { timeout: 15_000 });
  await expect(page.getByRole("heading", { name: /^Read the proof.*done$/ })).toBeVisible();
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await button(page, "Figures").click();
  await expect(table(page, "Writers").getByRole("row", { name: /^runners/ })).toBeVisible();
  await client.dispose();
});

test("6. why it missed", { tag: "@one-width" }, async ({ acme, page }) => {
  await page.goto(acme.at("cache/turbo"));
  const misses = page.getByRole("region", { name: "Latest misses" }).getByRole("listitem");
  await expect(misses.filter({ hasText: "web#build" }).first()).toContainText(
    "environment LANG nothing, now C.UTF-8",
  );
  await expect(misses.filter({ hasText: "77c0aa51d3e90b26" })).toContainText(
    "It was here and was removed to stay within the quota.",
  );
  await expect(misses.filter({ hasText: "1b9d440fe2c8a735" })).toContainText("this work is new here");
  const quotas = page.getByRole("region", { name: "Hit rate with other quotas" });
  await expect(quotas).toContainText("There are too few requests so far.");
  const rates = [20, 60, 75].map((hits, index) => ({
    quota_bytes: String([25e9, 50e9, 100e9][index]),
    hits: String(hits),
  }));
  await askEverything(page);
  await page.route(/CacheService\/Simulate/, (route) =>
    route.fulfill({
      json: {
        rates,
        quota_bytes: "50000000000",
        requests: "80",
        sampled_requests: "8",
        since: "2026-11-01T00:00:00Z",
      },
    }),
  );
  await page.reload();
  await expect(quotas.getByRole("listitem")).toHaveText([/^25 GB25 %$/, /^50 GB75 %now$/, /^100 GB93.8 %$/]);
  await expectAccessible(page);
});

test("3. reset and purge", { tag: "@one-width" }, async ({ acme, page }) => {
  await page.goto(acme.at("cache/turbo"));
  const job = table(page, "Writers").getByRole("row", { name: /repo:acme\/web/ });
  await expect(job.getByRole("link", { name: "9f31c7e" })).toHaveAttribute(
    "href",
    "https://github.com/acme/web/actions/runs/1201",
  );
  await job.getByRole("button", { name: /^Purge what repo:acme\/web/ }).click();
  await expect(
    page.getByText("This deletes everything that it has written, for every tool of acme."),
  ).toBeVisible();
  await expectAccessible(page, "[role$=dialog]");
  await button(page, "Purge all of it").click();
  await expect(page.getByText("3 entries of repo:acme/web:ref:refs/heads/main purged")).toBeVisible();
  await expect(page.getByText("No one has written entries for Turborepo yet")).toBeVisible();

  await button(page, "Reset…").click();
  await expect(page).toHaveURL(/do=reset/);
  const reset = button(page, /^Reset [\d.]+ GB$/);
  await expect(reset).toBeDisabled();
  await expect(page.getByLabel("Type Turborepo to confirm")).toBeFocused();
  await expectAccessible(page, "[role$=dialog]");
  await page.keyboard.type("Turborepo");
  await reset.click();
  await expect(page.getByText(/^The cache of Turborepo is reset: .+ freed\.$/)).toBeVisible();
});

test.describe("as a member", () => {
  test.use({ as: "mei" });

  test("3. who may purge", { tag: "@one-width" }, async ({ acme, page }) => {
    await page.goto(acme.at("cache/turbo"));
    await expect(page.getByText("Owners can purge a writer's entries")).toBeVisible();
    await expect(button(page, /^Purge/)).toHaveCount(0);
    await expect(button(page, "Reset…")).toBeVisible();
    await expectAccessible(page);
  });
});

test("4. nothing yet, and no such tool", async ({ acme, page }) => {
  acme.fill(noCache);
  await page.goto(acme.at("cache"));
  await expect(page.getByRole("heading", { name: "No build tool has used this cache yet" })).toBeVisible();
  await expect(page.getByRole("link", { name: /^Pants/ })).toBeVisible();
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await page.goto(acme.at("cache/pants"));
  await expect(page.getByRole("link", { name: "Make a user or organization token" })).toBeVisible();
  for (const id of ["make", "%3Cb%3E", "__proto__"]) {
    await page.goto(acme.at(`cache/${id}`));
    await expect(title(page)).toHaveText("There is no such page");
  }
});

test("5. its letter and its commands", { tag: "@one-width" }, async ({ acme, page }) => {
  await page.goto(acme.at());
  await expect(title(page)).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await expect(title(page)).toHaveText("Cache");
  await page.goto(acme.at("cache/turbo"));
  await expect(title(page)).toHaveText("Turborepo");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("gradle");
  await expect(page.getByRole("option", { name: /^Gradle/ })).toBeVisible();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("reset");
  await expect(page.getByRole("option", { name: /Reset the cache of Turborepo/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Reset the cache of Turborepo?" })).toBeVisible();
});
