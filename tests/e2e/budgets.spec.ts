/**
 * Sizes over the wire, brotli, cold cache (1 KB = 1,000 bytes). Speed is measured in bench/, never here.
 * 1. JavaScript before the first intent, inline scripts included.
 * 2. JavaScript with the client running.
 * 3. CSS. 4. HTML of typical pages. 5. Requests. 6. Nothing from another origin (every test's fixture).
 */
import { brotliCompressSync } from "node:zlib";
import type { Page, Response } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

const typicalPages = [
  "/docs",
  "/docs/container-builds/quickstart",
  "/docs/cache/overview",
  "/docs/cache/reference/turbo",
];

/** Bytes of each answer as they came over the wire. */
async function recordSizes(page: Page) {
  const responses: Response[] = [];
  page.on("response", (response) => responses.push(response));
  return async (pattern: RegExp) => {
    let sum = 0;
    for (const response of responses)
      if (pattern.test(response.headers()["content-type"] ?? ""))
        sum += (await response.request().sizes()).responseBodySize;
    return sum;
  };
}

/** What the HTML itself carries as script that runs. */
async function inlineScriptBytes(page: Page) {
  const code = await page.evaluate(() =>
    [...document.querySelectorAll("script:not([src])")]
      .filter((script) => !script.getAttribute("type")?.startsWith("text/x-"))
      .map((script) => script.textContent)
      .join("\n"),
  );
  return brotliCompressSync(code).length;
}

for (const path of typicalPages)
  test(`first view of ${path}`, async ({ page }) => {
    const sizeOf = await recordSizes(page);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const response = await page.goto(path, { waitUntil: "load" });
    expect((await sizeOf(/javascript/)) + (await inlineScriptBytes(page)), "JavaScript").toBeLessThanOrEqual(
      4_000,
    );
    expect(await sizeOf(/text\/css/), "CSS").toBeLessThanOrEqual(12_000);
    expect((await response?.request().sizes())?.responseBodySize, "HTML").toBeLessThanOrEqual(6_000);
    expect(requests.length, requests.join("\n")).toBeLessThanOrEqual(6);
  });

test("an idle browser preloads the client without running it", async ({ page }) => {
  const preload = page.waitForRequest(/\/assets\/vendor-.*\.js$/);
  await page.goto("/docs");
  await preload;
  expect(await page.evaluate(() => document.documentElement.dataset["hydrated"])).toBeUndefined();
});

test("JavaScript with the client running is at most 105 KB", async ({ docs, page }) => {
  const sizeOf = await recordSizes(page);
  await docs.openHydrated("/docs/container-builds/quickstart");
  await docs.searchBox.fill("cache");
  await expect(docs.hits().first()).toBeVisible();
  expect((await sizeOf(/javascript/)) + (await inlineScriptBytes(page))).toBeLessThanOrEqual(105_000);
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
  expect(brotliCompressSync(boot).length + brotliCompressSync(early).length).toBeLessThanOrEqual(2_000);
});

test("the page never shifts while fonts and client arrive", async ({ docs, page }) => {
  await page.route("**/*.woff2", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    await route.continue();
  });
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        (window as unknown as { shift: number }).shift += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await docs.openHydrated("/docs/container-builds/quickstart");
  await page.evaluate(() => document.fonts.ready);
  expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBeLessThan(0.02);
});
