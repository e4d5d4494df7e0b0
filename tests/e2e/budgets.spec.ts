/**
 * Sizes over the wire, brotli, cold cache (1 KB = 1,024 bytes). Speed is measured in bench/, never here. decisions/012 and 038
 * give the reasons.
 * 1. JavaScript before the first intent: running code, inline scripts included, and code that is only preloaded.
 * 2. CSS and fonts. 3. Requests until the page has loaded.
 * 4. HTML: a short page in total, and the frame around any article.
 * 5. JavaScript with the client running, after a first search; fonts then. 6. Nothing from another origin (every test's fixture).
 * 7. No file of the build has any of the authors' tools.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { buildFolders, root } from "#server/pages/build-folders.ts";
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
    expect(script, "JavaScript that runs").toBeLessThanOrEqual(2.25 * KB);
    expect(await sizeOf(/text\/css/), "CSS").toBeLessThanOrEqual(12 * KB);
    expect(await sizeOf(/font/), "fonts").toBeLessThanOrEqual(30 * KB);
    const urls = responses.map((response) => response.url());
    expect(urls.length, urls.join("\n")).toBeLessThanOrEqual(6);
  });

test("HTML of a short page is at most 6 KB", async ({ request }) => {
  const size = async () => {
    const response = await request.get("/docs", { headers: { "accept-encoding": "br" } });
    return Number(response.headers()["content-length"]);
  };
  // The first request for a page gets a quickly compressed form, later ones the smallest (decision 021).
  expect(await size()).toBeLessThanOrEqual(7 * KB);
  await expect.poll(size).toBeLessThanOrEqual(6 * KB);
});

// About 100 B of it say when the page's commands ran.
test("HTML around an article, tree included, is at most 4.1 KB", async ({ page, request }) => {
  const limits = new Map(typicalPages.map((path) => [path, 4.1 * KB]));
  limits.set("/docs/container-builds/troubleshooting/slow-builds", 4.1 * KB);
  // In the tree, 13 pages are below the page above them.
  for (const page of ["backup", "logs", "proxy"]) limits.set(`/docs/managed/overview/${page}`, 4.3 * KB);
  for (const [path, limit] of limits) {
    const html = await (await request.get(path)).text();
    await page.goto(path);
    const article = await page.locator("#prose").innerHTML();
    const around = brotliCompressSync(html).length - brotliCompressSync(article).length;
    expect(around, path).toBeLessThanOrEqual(limit);
  }
});

test("an idle browser preloads one file of the client, of at most 88 KB, without running it", async ({
  page,
}) => {
  const preload = page.waitForResponse(/\/assets\/vendor-.*\.js$/);
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(request.url());
  });
  await page.goto("/docs");
  const { responseBodySize } = await (await preload).request().sizes();
  expect(responseBodySize).toBeLessThanOrEqual(88 * KB);
  expect(scripts.map((url) => /\/assets\/(\w+)-/.exec(url)?.[1])).toEqual(["boot", "vendor"]);
  expect(await page.evaluate(() => document.documentElement.dataset["hydrated"])).toBeUndefined();
  // Not before the reader sees the page: on a slow line it would delay the fonts.
  const order = () =>
    page.evaluate(() => {
      const painted = performance.getEntriesByName("first-contentful-paint")[0];
      const files = performance.getEntriesByType("resource");
      const client = files.find(({ name }) => name.includes("/assets/vendor-"));
      return painted && client ? client.startTime - painted.startTime : NaN;
    });
  await expect.poll(order).toBeGreaterThan(0);
});

for (const [answer, consent, limit] of [
  ["has answered", "necessary", 107],
  ["is still asked for consent", null, 110],
] as const)
  test.describe(`after the first search of a reader who ${answer}`, () => {
    test.use({ consent });

    test(`JavaScript is at most ${limit} KB, and fonts are those of the first view`, async ({
      docs,
      page,
    }) => {
      const { sizeOf } = recordSizes(page, true);
      await docs.openHydrated("/docs/container-builds/quickstart");
      const question = page.getByRole("region", { name: "Notices" }).getByRole("button").first();
      if (consent === null) await expect(question).toBeVisible();
      await docs.searchBox.fill("cache");
      await expect(docs.hits().first()).toBeVisible();
      await page.evaluate(() => document.fonts.ready);
      const script = (await sizeOf(/javascript/)) + (await inlineScriptBytes(page));
      expect(script, "JavaScript").toBeLessThanOrEqual(limit * KB);
      expect(await sizeOf(/font/), "fonts").toBeLessThanOrEqual(30 * KB);
    });
  });

/** The design's bound; a paragraph that wraps by one line less in the web font is a shift of 0.02. */
test("the page hardly shifts while fonts and client arrive", { tag: "@window" }, async ({ docs, page }) => {
  const shift = await measureShift(page);
  await docs.openHydrated("/docs/container-builds/quickstart");
  expect(await shift()).toBeLessThan(0.05);
});

test("the author's panel is not in the build", () => {
  const folder = buildFolders(join(root, ".cache/test-build")).site;
  const files = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /\.(?:js|css)$/.test(name));
  const has = (words: RegExp) => files.filter((name) => words.test(readFileSync(join(folder, name), "utf8")));
  expect(has(/doc-grid/)).not.toEqual([]);
  expect(has(/author-(?:panel|button|place|try)|\/dev\/page/)).toEqual([]);
});
