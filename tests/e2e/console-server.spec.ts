/**
 * The figures of the documentation and their server together, on a separate server with an empty folder.
 * 1. Without a session nothing is read, also on this machine; its first owner reads it, at the requested page; signing
 *    out closes it, here or in every browser. 2. Readers' actions through the real endpoints are in the reports:
 *    events, answers, a grouped error, a recording that replays, also of a real page. 3. Lists are downloaded as CSV.
 */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { becomeOwner, closeServer, enterAsOwner, expect, test } from "./console-server.ts";
import { seedTelemetry } from "./seed-telemetry.ts";

test.describe.configure({ mode: "serial" });
test.afterAll(closeServer);
test.use({ expectedErrors: /status of (401|429)|Content Security Policy|Blocked script|elsewhere\.example/ });

interface RecorderWindow {
  __PosthogExtensions__: {
    rrweb: { record: (options: { emit: (event: unknown) => void; maskAllInputs: boolean }) => void };
  };
  recorded: unknown[];
}

async function signOut(page: Page, how: "Sign out" | "Sign out everywhere") {
  await page.getByRole("button", { name: /your account$/ }).click();
  await page.getByRole("menuitem", { name: how, exact: true }).click();
}

test("1. signing in and out", async ({ page, server }) => {
  await page.goto(`${server.origin}/console/errors?range=24h`);
  await expect(page.getByRole("heading", { name: "Sign in", level: 1 })).toBeVisible();
  await becomeOwner(page, server);
  await page.goto(`${server.origin}/app/sign-in?next=/console/errors%3Frange%3D24h`);
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "No errors in this range" })).toBeVisible();
  await expect(page).toHaveURL(/\/console\/errors\?range=24h$/);
  await signOut(page, "Sign out");
  await expect(page.getByRole("heading", { name: "Sign in", level: 1 })).toBeVisible();
  const refused = await page.request.get(`${server.origin}/console/api/overview`);
  expect([refused.status(), await refused.json()]).toEqual([
    401,
    expect.objectContaining({ code: "unauthenticated" }),
  ]);
});

test("1. sign out everywhere", async ({ browser, page, server }) => {
  const context = await browser.newContext();
  const other = await context.newPage();
  await enterAsOwner(other, server);
  await enterAsOwner(page, server);
  for (const each of [page, other]) {
    await each.goto(`${server.origin}/console`);
    await expect(each.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  }
  await signOut(page, "Sign out everywhere");
  await expect(page.getByRole("heading", { name: "Sign in", level: 1 })).toBeVisible();
  await other.reload();
  await expect(other.getByRole("heading", { name: "Sign in", level: 1 })).toBeVisible();
  await context.close();
});

test("2. what readers did", async ({ page, server }) => {
  const { sessionId } = await seedTelemetry(server.origin);
  await enterAsOwner(page, server);
  await page.goto(`${server.origin}/console`);
  const figure = (name: RegExp) => page.getByRole("link", { name });
  await expect(figure(/^Visitors who agreed/)).toContainText("6");
  await expect(figure(/^Page views/)).toContainText("24");
  await expect(figure(/^Clicks on hits/)).toContainText("3");

  await page.goto(`${server.origin}/console/pages`);
  await page.getByRole("button", { name: "1 comment on /docs/faq" }).click();
  await expect(page.getByText("How do I mirror <b>Docker Hub</b>?")).toBeVisible();

  await page.goto(`${server.origin}/console/errors`);
  await page.getByRole("link", { name: /TypeError/ }).click();
  await expect(page.getByText("Cannot read properties of undefined (reading 'writeText')")).toBeVisible();
  await expect(page.getByText("in copyMarkdown")).toBeVisible();
  await expect(page.getByText("2026.11.21")).toBeVisible();

  await page.goto(`${server.origin}/console/recordings/${sessionId}`);
  const replayed = page.frameLocator(".stage iframe");
  await expect(replayed.getByRole("heading", { name: "Build your first image" })).toBeVisible();
  await expect(page.getByRole("button", { name: /Search: search: layer cache/ }).first()).toBeVisible();

  await page.goto(`${server.origin}/console/health`);
  await expect(page.getByRole("row", { name: /\/ingest\/e\// })).toBeVisible();

  // Comes last, because a search is counted some seconds after its last letter.
  await expect(async () => {
    await page.goto(`${server.origin}/console/searches?kind=no-hits`);
    await expect(page.getByRole("rowheader", { name: "xqzvwkjy" })).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 20_000 });
  await page.getByRole("button", { name: "Add a synonym… for xqzvwkjy" }).click();
  await page.getByLabel("Means the same as").fill("cache");
  await page.getByLabel("Means the same as").press("Enter");
  await expect(page.getByText("A patch for content/synonyms.yaml")).toBeVisible();
  await expect(page.getByRole("region", { name: "Change" })).toContainText("+- [xqzvwkjy, cache]");
});

test("2. a page as the SDK's own recorder sees it", async ({ browser, page, server }) => {
  const context = await browser.newContext({ bypassCSP: true });
  const docs = await context.newPage();
  await docs.goto(`${server.origin}/docs/faq`);
  const title = await docs.getByRole("heading", { level: 1 }).innerText();
  await docs.evaluate(readFileSync("node_modules/posthog-js/dist/recorder.js", "utf8"));
  await docs.evaluate(() => {
    // The recorder's script adds this to the window.
    const { __PosthogExtensions__: extensions } = window as unknown as RecorderWindow;
    const recorded: unknown[] = [];
    extensions.rrweb.record({ emit: (event) => void recorded.push(event), maskAllInputs: true });
    Object.assign(window, { recorded });
  });
  await docs.getByRole("combobox", { name: "Search docs" }).fill("secret words");
  const recordedEvents = () => docs.evaluate(() => (window as unknown as RecorderWindow).recorded);
  // The recorder reports inputs when it is idle.
  await expect.poll(async () => JSON.stringify(await recordedEvents())).toContain("*".repeat(12));
  const events = await recordedEvents();
  await context.close();

  const { sessionId } = await seedTelemetry(server.origin, events);
  await enterAsOwner(page, server);
  await page.goto(`${server.origin}/console/recordings/${sessionId}`);
  const replayed = page.frameLocator(".stage iframe");
  await expect(replayed.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await page.getByRole("slider", { name: "Position" }).press("End");
  await expect(replayed.getByRole("combobox")).toHaveValue(/^\*+$/);
});

test("3. a list as CSV", async ({ page, server }) => {
  await enterAsOwner(page, server);
  await page.goto(`${server.origin}/console/pages`);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download CSV with comments" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^pages.*\.csv$/);
  const lines = readFileSync(await file.path(), "utf8").split(/\r?\n/);
  expect(lines[0]).toMatch(/^path,views,/);
  expect(lines.some((line) => line.startsWith("/docs/faq,"))).toBe(true);
});
