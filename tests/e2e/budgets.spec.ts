/**
 * Sizes over the wire, brotli, cold cache (1 KB = 1,024 bytes). Speed is measured in bench/, never here.
 * 1. JavaScript before the first intent, inline scripts included. 2. CSS and fonts. 3. Requests until the page has loaded.
 * 4. HTML: a short page in all, and what stands around the article of any page.
 * 5. JavaScript with the client running. 6. Nothing from another origin (every test's fixture).
 */
import { brotliCompressSync } from "node:zlib";
import { expect, measureShift, test } from "./fixtures.ts";
import { inlineScriptBytes, KB, recordSizes } from "./sizes.ts";

const typicalPages = [
  "/docs",
  "/docs/container-builds/quickstart",
  "/docs/cache/overview",
  "/docs/cache/reference/turbo",
];

for (const path of typicalPages)
  test(`first view of ${path}`, async ({ page }) => {
    const { responses, sizeOf } = recordSizes(page);
    await page.goto(path, { waitUntil: "load" });
    const script = (await sizeOf(/javascript/)) + (await inlineScriptBytes(page));
    expect(script, "JavaScript").toBeLessThanOrEqual(4 * KB);
    expect(await sizeOf(/text\/css/), "CSS").toBeLessThanOrEqual(12 * KB);
    expect(await sizeOf(/font/), "fonts").toBeLessThanOrEqual(30 * KB);
    const urls = responses.map((response) => response.url());
    expect(urls.length, urls.join("\n")).toBeLessThanOrEqual(6);
  });

test("HTML of a short page is at most 6 KB", async ({ page }) => {
  const response = await page.goto("/docs");
  expect((await response?.request().sizes())?.responseBodySize).toBeLessThanOrEqual(6 * KB);
});

test("HTML around an article, tree included, is at most 4 KB", async ({ page, request }) => {
  for (const path of typicalPages) {
    const html = await (await request.get(path)).text();
    await page.goto(path);
    const article = await page.locator("#prose").innerHTML();
    const around = brotliCompressSync(html).length - brotliCompressSync(article).length;
    expect(around, path).toBeLessThanOrEqual(4 * KB);
  }
});

test("an idle browser preloads the client without running it", async ({ page }) => {
  const preload = page.waitForRequest(/\/assets\/vendor-.*\.js$/);
  await page.goto("/docs");
  await preload;
  expect(await page.evaluate(() => document.documentElement.dataset["hydrated"])).toBeUndefined();
  // Not before the reader sees the page: on a slow line it would come instead of the fonts.
  const order = () =>
    page.evaluate(() => {
      const painted = performance.getEntriesByName("first-contentful-paint")[0];
      const files = performance.getEntriesByType("resource");
      const client = files.find(({ name }) => name.includes("/assets/vendor-"));
      return painted && client ? client.startTime - painted.startTime : NaN;
    });
  await expect.poll(order).toBeGreaterThan(0);
});

test("JavaScript with the client running is at most 105 KB", async ({ docs, page }) => {
  const { sizeOf } = recordSizes(page, true);
  await docs.openHydrated("/docs/container-builds/quickstart");
  await docs.searchBox.fill("cache");
  await expect(docs.hits().first()).toBeVisible();
  expect((await sizeOf(/javascript/)) + (await inlineScriptBytes(page))).toBeLessThanOrEqual(105 * KB);
});

test("the scripts that run before the client are at most 2.25 KB", async ({ page, request }) => {
  await page.goto("/docs");
  const source = await page.locator('script[src*="/assets/boot-"]').getAttribute("src");
  const boot = await (await request.get(source ?? "-")).text();
  expect(boot).toContain("themeToggle");
  const early = await page.evaluate(
    () => document.querySelector("head script:not([src])")?.textContent ?? "",
  );
  expect(early).toContain("dataset.theme");
  expect(brotliCompressSync(boot).length + brotliCompressSync(early).length).toBeLessThanOrEqual(2.25 * KB);
});

/** The design's bound; a paragraph that wraps by one line less in the web font is a shift of 0.02. */
test("the page hardly shifts while fonts and client arrive", { tag: "@window" }, async ({ docs, page }) => {
  const shift = await measureShift(page);
  await docs.openHydrated("/docs/container-builds/quickstart");
  expect(await shift()).toBeLessThan(0.05);
});
