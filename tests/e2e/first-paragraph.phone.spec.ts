/**
 * Reading first, at 390x844 and before the client runs:
 * 1. the first paragraph of a page begins in the upper half of the screen, and no page scrolls sideways at
 *    320 px;
 * 2. the outline follows it, and works;
 * 3. touch targets above it are at least 44 px high, except links in text.
 */
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { overflowOf } from "./overflow.ts";

const half = 844 / 2;

test(
  "1. a page's text begins in the upper half, and nothing scrolls sideways",
  { tag: "@window" },
  async ({ page, request }) => {
    test.setTimeout(180_000);
    const index = await (await request.get("/llms.txt")).text();
    const paths = [...index.matchAll(/(\/docs[\w/-]*)\.md\)/g)].map(([, path = ""]) => path);
    expect(paths.length).toBeGreaterThan(90);
    const named = (faults: (string | null)[]) =>
      faults.flatMap((fault, at) => (fault === null ? [] : `${paths[at]} ${fault}`));
    await page.goto("/docs");
    await page.evaluate(() => document.fonts.ready);
    const texts = await Promise.all(paths.map(async (path) => (await request.get(path)).text()));
    const measured = await measurePages(page, texts);
    expect(named(measured.map(({ top }) => (top < half ? null : `begins at ${top}`)))).toEqual([]);
    await page.setViewportSize({ width: 320, height: 640 });
    const narrow = await measurePages(page, texts);
    expect(named(narrow.map(({ width }) => (width <= 320 ? null : `is ${width} px wide`)))).toEqual([]);

    // A page that is opened normally has the same layout: checked for the page with the lowest text.
    const tops = measured.map(({ top }) => top);
    const lowest = Math.max(...tops);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(paths[tops.indexOf(lowest)] ?? "", { waitUntil: "domcontentloaded" });
    await page.evaluate(() => document.fonts.ready);
    expect((await page.locator("#prose > p").first().boundingBox())?.y).toBeCloseTo(lowest, 0);
    expect(await page.evaluate(() => document.documentElement.dataset["hydrated"])).toBeUndefined();
  },
);

/**
 * Puts the HTML of each page into the open page, which has the same styles, and measures where the first paragraph
 * begins and how wide the page is. A navigation takes many times as long.
 */
const measurePages = (page: Page, texts: string[]) =>
  page.evaluate((all) => {
    const sheetsOf = (of: Document) =>
      [...of.querySelectorAll("link[rel=stylesheet]")].map((link) => link.getAttribute("href")).join();
    return all.map((html) => {
      const next = new DOMParser().parseFromString(html, "text/html");
      if (sheetsOf(next) !== sheetsOf(document)) throw new Error(`${next.title} has styles of its own.`);
      document.body.replaceWith(document.adoptNode(next.body));
      scrollTo(0, 0);
      const paragraph = document.querySelector("#prose > p");
      const top = paragraph ? paragraph.getBoundingClientRect().top : Number.MAX_SAFE_INTEGER;
      return { top, width: document.documentElement.scrollWidth };
    });
  }, texts);

test("2. the outline stands below the first paragraph", async ({ docs, page }) => {
  await docs.open("/docs/container-builds/quickstart");
  const outline = page.getByRole("group").filter({ hasText: "On this page" }).first();
  const paragraph = await page.locator("#prose > p").first().boundingBox();
  const below = await outline.boundingBox();
  expect(below?.y).toBeGreaterThan((paragraph?.y ?? 0) + (paragraph?.height ?? 0));
  await outline.getByText("On this page").click();
  await outline.getByRole("link").nth(1).click();
  await expect(page).toHaveURL(/#[\w-]+$/);
});

test("3. breadcrumbs and actions are on one line, and can be hit", async ({ docs, page }) => {
  await docs.open("/docs/container-builds/how-to-guides/optimal-dockerfiles/node/workspaces");
  const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
  const copy = page.getByRole("button", { name: "Copy as Markdown" });
  const more = page.getByRole("button", { name: "More page actions" });
  const boxes = await Promise.all([crumbs, copy, more].map((part) => part.boundingBox()));
  for (const box of boxes) {
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect(box?.y).toBeCloseTo(boxes[0]?.y ?? 0, 0);
  }
  for (const button of [copy, more]) expect((await button.boundingBox())?.width).toBeGreaterThanOrEqual(44);
  await expect.poll(() => overflowOf(page)).toBe(0);
});
