/**
 * Sizes over the wire, brotli, cold cache (1 KB = 1,024 bytes). Speed is measured in bench/, never here.
 * 1. JavaScript before the first intent, inline scripts included. 2. CSS. 3. Requests until the page has loaded.
 * 4. HTML: a short page in all, and what stands around the article of any page.
 * 5. JavaScript with the client running. 6. Nothing from another origin (every test's fixture).
 */
import { brotliCompressSync } from "node:zlib";
import type { Page, Response } from "@playwright/test";
import { expect, measureShift, test } from "./fixtures.ts";

const KB = 1024;
const typicalPages = [
  "/docs",
  "/docs/container-builds/quickstart",
  "/docs/cache/overview",
  "/docs/cache/reference/turbo",
];

/** The chunk that an idle browser preloads, and the tab's icon: both are asked for after the page has loaded. */
const afterLoad = /\/assets\/vendor-|\/favicon\.svg$/;

/** Bytes of the answers that came until the page had loaded, or until now with `isAll`. */
function recordSizes(page: Page, isAll = false) {
  const responses: Response[] = [];
  let hasLoaded = false;
  page.on("load", () => (hasLoaded = true));
  page.on("response", (response) => {
    // The browser's own order of events is not the test's: a quick answer can overtake the news of "load".
    if (isAll || !(hasLoaded || afterLoad.test(response.url()))) responses.push(response);
  });
  const sizeOf = async (pattern: RegExp) => {
    let sum = 0;
    for (const response of responses)
      if (pattern.test(response.headers()["content-type"] ?? ""))
        sum += (await response.request().sizes()).responseBodySize;
    return sum;
  };
  return { responses, sizeOf };
}

/** What the HTML itself carries as script that runs. */
async function inlineScriptBytes(page: Page) {
  const code = await page.evaluate(() =>
    [...document.querySelectorAll("script:not([src])")]
      // Data, and what has another type so that it does not run, is no script.
      .filter((script) => ["", "module"].includes(script.getAttribute("type") ?? ""))
      .map((script) => script.textContent)
      .join("\n"),
  );
  return brotliCompressSync(code).length;
}

for (const path of typicalPages)
  test(`first view of ${path}`, async ({ page }) => {
    const { responses, sizeOf } = recordSizes(page);
    await page.goto(path, { waitUntil: "load" });
    const script = (await sizeOf(/javascript/)) + (await inlineScriptBytes(page));
    expect(script, "JavaScript").toBeLessThanOrEqual(4 * KB);
    expect(await sizeOf(/text\/css/), "CSS").toBeLessThanOrEqual(12 * KB);
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
});

test("JavaScript with the client running is at most 105 KB", async ({ docs, page }) => {
  const { sizeOf } = recordSizes(page, true);
  await docs.openHydrated("/docs/container-builds/quickstart");
  await docs.searchBox.fill("cache");
  await expect(docs.hits().first()).toBeVisible();
  expect((await sizeOf(/javascript/)) + (await inlineScriptBytes(page))).toBeLessThanOrEqual(105 * KB);
});

test("the scripts that run before the client are at most 2 KB", async ({ page, request }) => {
  await page.goto("/docs");
  const source = await page.locator('script[src*="/assets/boot-"]').getAttribute("src");
  const boot = await (await request.get(source ?? "-")).text();
  expect(boot).toContain("themeToggle");
  const early = await page.evaluate(
    () => document.querySelector("head script:not([src])")?.textContent ?? "",
  );
  expect(early).toContain("dataset.theme");
  expect(brotliCompressSync(boot).length + brotliCompressSync(early).length).toBeLessThanOrEqual(2 * KB);
});

/** The design's bound; a paragraph that wraps by one line less in the web font is a shift of 0.02. */
test("the page hardly shifts while fonts and client arrive", async ({ docs, page }) => {
  const shift = await measureShift(page);
  await docs.openHydrated("/docs/container-builds/quickstart");
  expect(await shift()).toBeLessThan(0.05);
});
