/**
 * The copy for reading offline.
 * 1. Before the reader's request nothing is registered, stored or fetched for it; then they see its size.
 * 2. Without a network pages, their search with the server's own answers, hits, links and addresses with `?q=` work,
 *    and the pages show their date. Nothing outside the documentation is stored or answered.
 * 3. With a network pages come from the server again. A newer copy replaces the former copy.
 * 4. Removing leaves neither worker nor store, and so does erasing one's data.
 * 5. Where a browser cannot keep a copy, the page says why.
 * 6. The sizes of the copy and its worker are limited.
 * 7. Its section and its pages fit the screen, and axe finds nothing, in both themes.
 */
import type { Page } from "@playwright/test";
import { searchQuery } from "#site/docs/search/protocol.ts";
import { expectAccessible } from "./axe.ts";
import { type DocsPage, expect, origin, test } from "./fixtures.ts";
import { overflowOf } from "./overflow.ts";

// The browser's own page for an unreachable address has no storage.
test.use({ expectedErrors: /ERR_INTERNET_DISCONNECTED|status of 404|'localStorage' property/ });

const KB = 1024;

interface Left {
  workers: string[];
  caches: string[];
}

const leftOf = (page: Page): Promise<Left> =>
  page.evaluate(async () => ({
    workers: (await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
    caches: await caches.keys(),
  }));

async function keepCopy(docs: DocsPage, page: Page) {
  await docs.openHydrated("/your-data");
  await page.getByRole("button", { name: "Keep a copy…" }).click();
  await page.getByRole("button", { name: /^Download \d\.\d MB$/ }).click();
  await expect(page.getByText(/^On: \d+ pages of \d+ \w+ \d{4}, with their search/)).toBeVisible({
    timeout: 20_000,
  });
}

const READER = "a reader keeps a copy, reads and searches without a network, updates and removes it";

test(READER, { tag: "@one-width" }, async ({ docs, page, context }) => {
  const asked: string[] = [];
  page.on("request", (request) => void (request.url().includes("offline") && asked.push(request.url())));

  await test.step("1. nothing before the reader asks", async () => {
    await docs.openHydrated("/docs");
    await page.getByRole("link", { name: "Read offline" }).click();
    await expect(page).toHaveURL("/your-data#offline");
    await docs.hydrate();
    await expect(page.getByText("There is no copy in this browser.")).toBeVisible();
    expect(await leftOf(page)).toEqual({ workers: [], caches: [] });
    expect(asked).toEqual([]);
    await page.getByRole("button", { name: "Keep a copy…" }).click();
    await expect(
      page.getByText(/^\d+ pages and their search: \d\.\d MB to download, \d+\.\d MB/),
    ).toBeVisible();
    expect(asked).toEqual([`${origin}/offline.json`]);
    expect(await leftOf(page)).toEqual({ workers: [], caches: [] });
  });

  await test.step("1. the copy", async () => {
    await page.getByRole("button", { name: /^Download/ }).click();
    await expect(page.getByText(/^On: \d+ pages/)).toBeVisible({ timeout: 20_000 });
    expect((await leftOf(page)).workers).toEqual([`${origin}/docs`]);
  });

  // Phrases and code, because the server also reads what other words mean; a copy finds by words only.
  const questions = ['"layer cache"', '"docker build" tokne', '"project token"', "--build-arg"];
  const ask = (query: string) =>
    page.evaluate(
      async (body) => {
        const headers = { "Content-Type": "application/json" };
        const response = await fetch("/multi-search", { method: "POST", headers, body });
        const { results } = (await response.json()) as { results: { processingTimeMs: number }[] };
        return results.map((result) => ({ ...result, processingTimeMs: 0 }));
      },
      JSON.stringify({ queries: [searchQuery({ indexUid: "docs", query })] }),
    );
  const mark = page.getByText(/^Offline copy of \d+ \w+ \d{4}$/);

  await docs.open("/docs/faq");
  await expect(mark).toHaveCount(0);
  const answers = await Promise.all(questions.map(ask));
  await context.setOffline(true);

  await test.step("2. pages and searches", async () => {
    await docs.openHydrated("/docs/cache/overview");
    await expect(mark).toBeVisible();
    expect(await Promise.all(questions.map(ask))).toEqual(answers);
    await docs.searchBox.fill("turborepo");
    await docs.hits().first().click();
    await expect(docs.results).toHaveCount(0);
    await expect(page).toHaveURL(/\/docs\/cache\/reference\/turbo/);
    await expect(mark).toBeVisible();
    await docs.link("Frequently asked questions").or(docs.link("FAQs")).first().click();
    // The former page also had the mark, and the address changes before the page.
    await expect(docs.article.getByRole("heading", { level: 1 })).toHaveText(/questions/i);
    await expect(page).toHaveURL("/docs/faq");
    await expect(mark).toBeVisible();
  });

  await test.step("2. what pages load at a press, and their texts", async () => {
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.keyboard.press("Escape");
    const statuses = await page.evaluate(() =>
      Promise.all(["/docs/faq.md", "/docs/glossary.json"].map(async (path) => (await fetch(path)).status)),
    );
    expect(statuses).toEqual([200, 200]);
  });

  await test.step("2. a search in the address, a page that is missing", async () => {
    await docs.open("/docs?q=layer+cache");
    await expect(docs.hits().first()).toBeVisible();
    await docs.open("/docs/no-such-page");
    await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  });

  await test.step("2. nothing else", async () => {
    // Each in a tab of its own: the browser's error page arrives late, and would interrupt the next navigation.
    for (const path of ["/", "/app", "/console", "/status"]) {
      const tab = await context.newPage();
      await expect(tab.goto(path), path).rejects.toThrow("ERR_INTERNET_DISCONNECTED");
      await tab.close();
    }
    await docs.open("/docs");
    const stored = await page.evaluate(async () => {
      const paths: string[] = [];
      for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
      return paths;
    });
    expect(stored.length).toBeGreaterThan(300);
    const others = stored.filter(
      (path) => !/^\/(?:docs(?:[/.]|$)|assets\/[^/]+$|[\w-]+\.(?:svg|png)$)/.test(path),
    );
    expect(others).toEqual(["/offline.json"]);
    expect(stored.filter((path) => /posthog|recorder|error-reports/.test(path))).toEqual([]);
  });

  await context.setOffline(false);
  await test.step("3. a newer copy", async () => {
    await docs.open("/docs");
    await expect(mark).toHaveCount(0);
    await page.evaluate(makeOlder);
    await context.setOffline(true);
    await docs.open("/docs/faq");
    await expect(page.getByText("Offline copy of 1 February 2020")).toBeVisible();
    await context.setOffline(false);
    await docs.openHydrated("/your-data");
    await expect(page.getByText(/of 1 February 2020/)).toBeVisible();
    await page.getByRole("button", { name: "Check for a newer copy" }).click();
    await expect(page.getByText("Updated.")).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText(/of 1 February 2020/)).toHaveCount(0);
    expect((await leftOf(page)).caches).toHaveLength(2);
    await page.getByRole("button", { name: "Check for a newer copy" }).click();
    await expect(page.getByText("This is the newest copy.")).toBeVisible();
  });

  await test.step("4. removed", async () => {
    await page.getByRole("button", { name: "Remove the copy" }).click();
    await expect(page.getByText("The copy was removed from this browser.")).toBeVisible();
    expect(await leftOf(page)).toEqual({ workers: [], caches: [] });
    await context.setOffline(true);
    await expect(page.goto("/docs")).rejects.toThrow("ERR_INTERNET_DISCONNECTED");
  });
});

test("7. the section, and a page of the copy", async ({ docs, page, context }) => {
  await keepCopy(docs, page);
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await expectAccessible(page, { include: "main" });
  await context.setOffline(true);
  await docs.openHydrated("/docs/faq");
  await expect(page.getByText(/^Offline copy of/)).toBeInViewport();
  await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
  await expectAccessible(page, { include: ".doc-title" });
  await docs.searchBox.fill("turborepo");
  await expect(docs.hits().first()).toBeVisible();
});

/** Gives the copy another date and version. Runs in the page. */
async function makeOlder() {
  const state = await caches.open("millrace-offline");
  const { info, ...rest } = (await (await state.match("/offline.json"))!.json()) as {
    info: { version: string };
  };
  const [from, to] = [`millrace-offline-${info.version}`, "millrace-offline-00000000"];
  const target = await caches.open(to);
  const source = await caches.open(from);
  for (const request of await source.keys()) {
    const response = (await source.match(request))!;
    const { status, headers } = response;
    const isPage = headers.get("content-type")?.startsWith("text/html");
    const body = isPage
      ? (await response.text()).replace(/Offline copy of [^<]+/, "Offline copy of 1 February 2020")
      : response.body;
    await target.put(request, new Response(body, { status, headers }));
  }
  const older = {
    ...info,
    version: "00000000",
    sha256: "0".repeat(64),
    address: "/assets/offline-00000000.pack",
    made: "2020-02-01T12:00:00.000Z",
  };
  await state.put("/offline.json", Response.json({ ...rest, info: older }));
  await caches.delete(from);
}

test.describe("with analytics", () => {
  test.use({ consent: "analytics" });

  test("4. erasing one's data removes the copy", { tag: "@one-width" }, async ({ docs, page }) => {
    await keepCopy(docs, page);
    await page.getByRole("button", { name: "Erase and stop collecting" }).click();
    await expect(page.getByText(/^Erased\./)).toBeVisible();
    expect(await leftOf(page)).toEqual({ workers: [], caches: [] });
  });
});

test("5. a browser that cannot keep a copy", { tag: "@one-width" }, async ({ docs, page }) => {
  await page.addInitScript(() => Object.defineProperty(window, "isSecureContext", { value: false }));
  await docs.openHydrated("/your-data");
  await expect(page.getByText("This page was loaded over plain HTTP: open it over HTTPS.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Keep a copy…" })).toHaveCount(0);
});

test("6. sizes", { tag: "@one-width" }, async ({ request }) => {
  const info = (await (await request.get("/offline.json")).json()) as { address: string; bytes: number };
  const pack = await request.head(info.address);
  expect(pack.headers()).toMatchObject({
    "content-encoding": "br",
    "content-length": String(info.bytes),
    "cache-control": "public, max-age=31536000, immutable",
  });
  expect(info.bytes).toBeLessThanOrEqual(1_700 * KB);
  const worker = await request.head("/offline-worker.js", { headers: { "accept-encoding": "br" } });
  expect(Number(worker.headers()["content-length"])).toBeLessThanOrEqual(67 * KB);
  expect(worker.headers()["cache-control"]).toBe("public, no-cache");
});
