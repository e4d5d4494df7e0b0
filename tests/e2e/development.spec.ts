/**
 * `npm run dev` as an author uses it, in a browser.
 * 1. "Why this result": each hit says which words matched and how, and what each rule gave it, which adds up to its
 *    score; later hits too. Other words change the explanation. By keyboard.
 * 2. The author's panel has a draft's problems, questions and records, and the field for trial searches; Esc closes it
 *    and gives the focus back. Fixed problems disappear from it with the next save.
 * 3. Both fit 390 px, and axe finds nothing, in both themes. 4. A build has neither.
 */
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { createPage } from "../../scripts/new-page/new-page.ts";
import { root } from "#server/pages/build-folders.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test as base } from "./fixtures.ts";
import { overflowOf } from "./overflow.ts";
import { type SiteCopy, startSiteCopy } from "./providers/site-copy.ts";

const DRAFT = "/docs/cache/reference/buck2";
let draftFile = "";

async function edit(folder: string): Promise<void> {
  await cp(join(root, "tests/relevance"), join(folder, "tests/relevance"), { recursive: true });
  const [file = ""] = await createPage(folder, {
    path: DRAFT,
    type: "reference",
    title: "Cache Buck2 builds",
  });
  draftFile = join(folder, file);
}

let started: Promise<SiteCopy> | undefined;

const test = base.extend<{ site: SiteCopy }>({
  site: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => use(await (started ??= startSiteCopy({ edit, script: "scripts/dev.ts" }))),
    { timeout: 240_000 },
  ],
  baseURL: async ({ site }, use) => use(site.origin),
});

// One worker: it starts the server once. A server's first page is made while the browser waits.
test.describe.configure({ mode: "default", timeout: 90_000 });
test.afterAll(async () => (await started)?.close());

async function expectFits(page: Page, include: string): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await expectAccessible(page, { include });
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** The rules' points for a hit, and its score. */
async function readScore(hit: Locator): Promise<{ sum: number; score: number }> {
  const adds = await hit.getByRole("row").locator("td:last-child").allTextContents();
  const score = Number(/^Score ([\d.]+)\. /.exec((await hit.locator(".why p").textContent()) ?? "")?.[1]);
  return { sum: adds.reduce((all, text) => all + Number(text), 0), score };
}

test("1, 3. why this result", async ({ docs, page }) => {
  await docs.openHydrated("/docs/faq");
  await docs.searchBox.fill("cachng build tools");
  const shown = docs.results.locator(".hit");
  const why = (hit: Locator) => hit.getByRole("button", { name: "Why this result" });

  await why(shown.first()).press("Enter");
  await expect(shown.first().getByText(/caching: 1 typo in “cachng”/)).toBeVisible();
  await expect(shown.first().getByRole("rowheader")).toHaveCount(7);
  const first = await readScore(shown.first());
  // Seven figures of three decimals.
  expect(Math.abs(first.sum - first.score)).toBeLessThan(0.0045);
  await expectFits(page, "main");

  await docs.results.getByRole("button", { name: "Show more results" }).click();
  await expect(shown.nth(21)).toBeVisible();
  await why(shown.nth(21)).click();
  await expect(shown.nth(21).getByRole("rowheader")).toHaveCount(7);
  expect((await readScore(shown.nth(21))).score).toBeLessThan(first.score);

  await docs.searchBox.fill("caching build tools");
  await expect(shown.first().getByText(/caching: as typed/)).toBeVisible();
  await expect(shown.first().getByText(/typo/)).toHaveCount(0);
  await why(shown.first()).press("Enter");
  await expect(shown.first().getByRole("table")).toHaveCount(0);
  // Arrows still move in the list.
  await docs.searchBox.press("ArrowDown");
  await expect(docs.hits().first()).toHaveAttribute("aria-selected", "true");
});

test("2, 3. the author's panel of a draft", async ({ docs, page }) => {
  await docs.openHydrated(DRAFT);
  await expect(docs.article.getByText("Draft", { exact: true })).toBeVisible();
  const button = page.getByRole("button", { name: "Author’s panel", exact: true });
  const panel = page.getByRole("complementary", { name: "Author’s panel" });
  await button.click();
  await expect(panel.getByRole("heading", { name: "Author’s panel" })).toBeFocused();
  await expect(panel.getByText("is a draft")).toBeVisible();
  await expect(panel.getByText("0 of 0 answered")).toBeVisible();
  await expect(panel.getByText(/^Every page needs at least two/)).toBeVisible();
  await panel.getByLabel("What a reader types").fill("cache buck2 builds");
  await expect(panel.getByText(/^This page ranks 1st of \d+ pages\.$/)).toBeVisible();
  await panel.getByText("Every record").click();
  await expect(panel.getByRole("listitem").filter({ hasText: "lvl1" }).first()).toContainText(
    "Cache Buck2 builds",
  );
  await expectFits(page, ".author-panel");

  await test.step("what is fixed goes", async () => {
    const missing = panel.getByText(/Obviously|banned/i);
    const text = await readFile(draftFile, "utf8");
    await writeFile(draftFile, `${text}\nObviously it is easy.\n`);
    await expect(missing.first()).toBeVisible({ timeout: 20_000 });
    await writeFile(draftFile, text);
    await expect(missing).toHaveCount(0, { timeout: 20_000 });
  });
  await panel.getByRole("button", { name: "Close the author’s panel" }).focus();
  await page.keyboard.press("Escape");
  await expect(panel).toHaveCount(0);
  await expect(button).toBeFocused();
});

test("4. a build has neither", async () => {
  const folder = join(root, ".cache/test-build/site/client/assets");
  const scripts = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(20);
  for (const name of scripts)
    expect(await readFile(join(folder, name), "utf8"), name).not.toMatch(/Why this result|Author’s panel/);
});
