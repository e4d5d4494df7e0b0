/**
 * The cache when something is wrong, on acme's server.
 * 1. A part that cannot be read says so in its place, and the rest of the screen stays. Data read earlier also stays,
 *    with its time.
 * 2. Hostile keys and names are text, and stay in their column.
 * 3. Nothing is wider than a screen of 320 pixels, or than one with text of twice the size.
 */
import type { Page } from "@playwright/test";
import { noCache } from "../fixtures/cache-records.ts";
import type { Records } from "../fixtures/replace-records.ts";
import { HOSTILE } from "./app.ts";
import { askEverything, expect, test } from "./acme.ts";
import { expectAccessible as expectAllAccessible } from "./axe.ts";
import { spilledNames } from "./columns.ts";
import { overflowOf } from "./overflow.ts";
import { tryAgain } from "./try-again.ts";

/** The frame around it has tests of its own. */
const expectAccessible = (page: Page) => expectAllAccessible(page, { include: "#content" });

// The browser logs this for each refusal.
test.use({ expectedErrors: /Failed to load resource/ });

const title = (page: Page) => page.getByRole("heading", { level: 1 });
const UNAVAILABLE = { status: 503, json: { code: "unavailable", message: "database is locked" } };

test("1. a server that is unreachable for a while", { tag: "@one-width" }, async ({ acme, page }) => {
  let isBroken = true;
  await askEverything(page);
  await page.route(/CacheService\/GetUsage/, (route) =>
    isBroken ? route.fulfill(UNAVAILABLE) : route.fallback(),
  );
  for (const [path, heading] of [
    ["cache", "The cache cannot be read"],
    ["cache/turbo", "The cache of Turborepo cannot be read"],
  ] as const) {
    isBroken = true;
    await page.goto(acme.at(path));
    await expect(page.getByRole("heading", { name: heading })).toBeVisible({ timeout: 15_000 });
    await expectAccessible(page);
    isBroken = false;
    await tryAgain(page);
    await expect(page.getByRole("slider", { name: "Requests, 14 days" })).toBeVisible();
  }
});

test("1. a part that cannot be read", async ({ acme, page }) => {
  await askEverything(page);
  await page.route(/CacheService\/(?:ListLargeEntries|Simulate)/, (route) => route.fulfill(UNAVAILABLE));
  for (const [path, heading] of [
    ["cache", "The largest entries cannot be read"],
    ["cache/turbo", "The hit rate with other quotas cannot be read"],
  ] as const) {
    await page.goto(acme.at(path));
    await expect(page.getByRole("heading", { name: heading })).toBeVisible({ timeout: 15_000 });
    await expect(page.getByRole("slider", { name: "Requests, 14 days" })).toBeVisible();
    await expectAccessible(page);
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  }
});

test("1. what was read before", async ({ acme, page }) => {
  await page.goto(acme.at("cache/turbo"));
  await expect(page.getByRole("slider", { name: "Requests, 14 days" })).toBeVisible();
  const says = page.getByRole("status").filter({ hasText: "The cache cannot be read." });
  await expect(says).toHaveCount(0);
  await askEverything(page);
  await page.route(/CacheService\/GetUsage/, (route) => route.fulfill(UNAVAILABLE));
  await expect(says).toContainText(/This data is from \d\d:\d\d:\d\d\./, { timeout: 20_000 });
  await expect(page.getByRole("slider", { name: "Requests, 14 days" })).toBeVisible();
  await expectAccessible(page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
});

const hostile = (records: Records): Records => ({
  ...records,
  cache_entries: (records["cache_entries"] ?? []).map((entry, index) => ({
    ...entry,
    key: `${[HOSTILE.markup, HOSTILE.rtl, HOSTILE.long][index % 3]}${index}`,
  })),
  cache_misses: (records["cache_misses"] ?? []).map((miss, index) => ({
    ...miss,
    target: [HOSTILE.markup, HOSTILE.rtl, HOSTILE.long][index % 3] ?? "",
    mnemonic: HOSTILE.markup,
    differences: JSON.stringify([
      { kind: HOSTILE.long, name: HOSTILE.rtl, before: HOSTILE.markup, after: HOSTILE.long },
    ]),
  })),
  cache_writers: (records["cache_writers"] ?? []).map((writer, index) => ({
    ...writer,
    name: [HOSTILE.markup, HOSTILE.rtl, HOSTILE.long][index % 3] ?? "",
    ref: HOSTILE.long,
    commit_sha: HOSTILE.markup,
    run_url: "javascript:document.title='pwned'",
  })),
});

test("2. names of bad will", async ({ acme, page }) => {
  acme.fill(hostile);
  for (const path of ["cache", "cache/turbo"]) {
    await page.goto(acme.at(path));
    await expect(page.getByText("<img src=x").first()).toBeVisible();
    expect(await page.locator("main img, main a[href^=javascript]").count()).toBe(0);
    await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await spilledNames(page)).toEqual([]);
    await expectAccessible(page);
  }
  expect(await page.title()).not.toContain("pwned");
});

test("3. small screens and large letters", async ({ acme, page, isMobile }) => {
  test.setTimeout(60_000);
  const { height } = page.viewportSize() ?? { height: 900 };
  for (const [records, paths] of [
    [noCache, ["cache", "cache/bazel"]],
    [hostile, ["cache", "cache/turbo", "cache/turbo?view=connect", "cache/gradle"]],
  ] as const) {
    acme.fill(records);
    for (const path of paths)
      await test.step(path, async () => {
        await page.goto(acme.at(path));
        await expect(title(page)).toBeVisible();
        await expect(page.getByText(/^Loading /)).toHaveCount(0);
        await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
        await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
        await page.evaluate(() => (document.documentElement.style.fontSize = ""));
        if (!isMobile) return;
        await page.setViewportSize({ width: 320, height });
        await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
        await page.setViewportSize({ width: 390, height });
      });
  }
});
