/**
 * The console and its server together, on a server of its own with a token and an empty database.
 * 1. Without a session nothing is read; a wrong token says so, too many say when to try again, the right one opens the page
 *    that was asked for; signing out closes it. 2. What readers do through the real endpoints is in the reports: events,
 *    answers, a grouped error, a recording that replays. 3. Lists are downloaded as CSV.
 */
import { readFileSync } from "node:fs";
import { expect, test, token } from "./console-server.ts";
import { seedTelemetry } from "./seed-telemetry.ts";

test.describe.configure({ mode: "serial" });
test.use({ expectedErrors: /status of (401|429)|Content Security Policy|Blocked script|elsewhere\.example/ });

test("1. signing in and out", async ({ page, server }) => {
  await page.goto(`${server.origin}/console/errors?range=24h`);
  await expect(page.getByRole("heading", { name: /Sign in to the .+ console/ })).toBeVisible();
  const input = page.getByLabel("Token");
  await expect(input).toBeFocused();
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toContainText("Enter the token");
  await input.fill("wrong-horse-battery");
  await input.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("This is not the value of CONSOLE_TOKEN.");
  await input.fill(token);
  await input.press("Enter");
  await expect(page.getByRole("heading", { name: "No errors in this range" })).toBeVisible();
  await expect(page).toHaveURL(/\/console\/errors\?range=24h$/);
  await page.reload();
  await expect(page.getByRole("heading", { name: "No errors in this range" })).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByLabel("Token")).toBeFocused();
  expect((await page.request.get(`${server.origin}/console/api/overview`)).status()).toBe(401);
});

test("2. what readers did", async ({ page, server }) => {
  const { sessionId } = await seedTelemetry(server.origin);
  await page.goto(`${server.origin}/console`);
  await page.getByLabel("Token").fill(token);
  await page.getByLabel("Token").press("Enter");
  const figure = (name: RegExp) =>
    page.getByRole("listitem").filter({ has: page.getByRole("link", { name }) });
  await expect(figure(/^Visitors who agreed/)).toContainText("6");
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
});

test("3. a list as CSV", async ({ page, server }) => {
  await page.goto(`${server.origin}/console/pages`);
  await page.getByLabel("Token").fill(token);
  await page.getByLabel("Token").press("Enter");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download CSV" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^pages.*\.csv$/);
  const lines = readFileSync(await file.path(), "utf8").split(/\r?\n/);
  expect(lines[0]).toMatch(/^path,views,/);
  expect(lines.some((line) => line.startsWith("/docs/faq,"))).toBe(true);
});

test("1. too many attempts", async ({ page, server }) => {
  await page.goto(`${server.origin}/console`);
  const input = page.getByLabel("Token");
  await expect(input).toBeFocused();
  const alert = page.getByRole("alert");
  await expect(async () => {
    await input.fill("wrong-horse-battery");
    await input.press("Enter");
    await expect(alert).toContainText(/Too many attempts. Try again in \d+ seconds./, { timeout: 500 });
  }).toPass();
});
