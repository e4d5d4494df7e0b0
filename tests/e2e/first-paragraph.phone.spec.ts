/**
 * Reading first, at 390x844 and before the client runs:
 * 1. the first paragraph of a page begins in the upper half of the screen, and no page scrolls sideways at 320 pixels;
 * 2. the outline follows it, and works;
 * 3. what stands above it is at least 44 px high to the finger, but for links in text.
 */
import { expect, test } from "./fixtures.ts";

const half = 844 / 2;

/** Characters of a page's title and description in its line of `llms.txt`. */
const wordsOf = (line: string) => line.replace(/\(.*?\)/, "").length;

test(
  "1. a page's text begins in the upper half, and nothing scrolls sideways",
  { tag: "@window" },
  async ({ page, request }) => {
    test.setTimeout(180_000);
    const lines = (await (await request.get("/llms.txt")).text())
      .split("\n")
      .filter((line) => line.includes(".md)"));
    expect(lines.length).toBeGreaterThan(90);
    // Title and description stand above the text: the forty longest, and the pages that say that they are in preview. The deepest have
    // the longest breadcrumbs.
    const longest = lines.toSorted((a, b) => wordsOf(b) - wordsOf(a)).slice(0, 40);
    const firsts = lines.filter((line) =>
      /(?:overview|quickstart|installation|docs|core-concepts|faq|security)\.md\)/.test(line),
    );
    const deepest = lines.filter((line) => line.split("/").length > 8);
    const paths = [...new Set([...longest, ...firsts, ...deepest])].map(
      (line) => /\/docs[\w/-]*(?=\.md\b)/.exec(line)?.[0] ?? "",
    );
    const late: string[] = [];
    for (const path of paths) {
      await page.goto(path, { waitUntil: "domcontentloaded" });
      await page.evaluate(() => document.fonts.ready);
      const box = await page.locator("#prose > p").first().boundingBox();
      if (!box || box.y > half) late.push(`${path} at ${box?.y}`);
      await page.setViewportSize({ width: 320, height: 640 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - 320);
      if (wide > 0) late.push(`${path} is ${wide} px too wide`);
      await page.setViewportSize({ width: 390, height: 844 });
    }
    expect(late).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.dataset["hydrated"])).toBeUndefined();
  },
);

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
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
});
