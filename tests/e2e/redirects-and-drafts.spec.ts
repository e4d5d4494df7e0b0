/**
 * A site of an author who has moved two pages and has begun a third, built and started as by an operator.
 * 1. The old address of a page leads to the new one, in a browser with query and fragment, and so do its Markdown and
 *    its data, for every client; a fragment of the redirect's own comes before the reader's. A folder without a page
 *    leads to its overview in the same way, and is not in the sitemap.
 * 2. A link to it on an already open page shows the new page at the link's fragment, and a reload gives it its address.
 * 3. The same holds in the offline copy, without a network.
 * 4. A draft is nowhere: not as a page, in the tree, search, files for machines, feeds, the offline copy, nor for
 *    agents.
 */
import { execFileSync } from "node:child_process";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { APIRequestContext } from "@playwright/test";
import { createPage } from "../../scripts/new-page/new-page.ts";
import { expect, test as base } from "./fixtures.ts";
import { type SiteCopy, startSiteCopy } from "./providers/site-copy.ts";

const NEW = "/docs/cache/overview";
const DRAFT = "/docs/cache/reference/buck2";
const WORD = "zanzibarite";

async function edit(folder: string): Promise<void> {
  const moved = [
    { from: "/docs/cache/keys", to: NEW },
    { from: "/docs/cache/quotas", to: `${NEW}#limits` },
  ];
  await writeFile(join(folder, "content/redirects.yaml"), JSON.stringify(moved));
  await createPage(folder, { path: DRAFT, type: "reference", title: `Cache with ${WORD}` });
  await appendFile(join(folder, `content${DRAFT}.mdx`), `\n## Where ${WORD} is\n\nIt is here.\n`);
  // Feeds name pages that have been committed.
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], {
      cwd: folder,
    });
  git("init", "--quiet");
  git("add", "content/docs");
  git("commit", "--quiet", "--message", "Begin a page");
}

let started: Promise<SiteCopy> | undefined;

const test = base.extend<{ site: SiteCopy }>({
  site: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => use(await (started ??= startSiteCopy({ edit }))),
    { timeout: 240_000 },
  ],
  baseURL: async ({ site }, use) => use(site.origin),
  expectedErrors: /ERR_INTERNET_DISCONNECTED/,
});

// One worker: it builds the site once.
test.describe.configure({ mode: "default" });
test.afterAll(async () => (await started)?.close());

test("1. a page that has moved", async ({ docs, page, request, site }) => {
  const at = (path: string) => request.get(path, { maxRedirects: 0 });
  for (const [path, location] of [
    ["/docs/cache/keys", NEW],
    ["/docs/Cache/Keys?q=a+b", `${NEW}?q=a+b`],
    ["/docs/cache/keys.md?setup=pnpm", `${NEW}.md?setup=pnpm`],
    ["/docs/cache/keys.data?_routes=x", `${NEW}.data?_routes=x`],
    ["/docs/cache/quotas", `${NEW}#limits`],
    ["/docs/cache?q=a+b", `${NEW}?q=a+b`],
    ["/docs/cache/", "/docs/cache"],
    ["/docs/cache.md", `${NEW}.md`],
    ["/docs/cache.data?_routes=x", `${NEW}.data?_routes=x`],
    ["/docs/cache/reference", NEW],
    ["/docs/cli", "/docs/cli/installation"],
  ] as const) {
    const answer = await at(path);
    expect([answer.status(), answer.headers()["location"]], path).toEqual([308, location]);
  }
  const markdown = await request.get("/docs/cache/keys", { headers: { accept: "text/markdown" } });
  expect(markdown.headers()["content-type"]).toContain("text/markdown");
  expect(await markdown.text()).toContain(`Source: ${site.origin}${NEW}`);

  expect(await (await request.get("/sitemap.xml")).text()).not.toContain("/docs/cache<");

  await docs.open("/docs/cache/?from=mail#namespaces");
  await expect(page).toHaveURL(`${NEW}?from=mail#namespaces`);
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", new RegExp(`${NEW}$`));
  await docs.open("/docs/cache/keys?from=mail#namespaces");
  await expect(page).toHaveURL(`${NEW}?from=mail#namespaces`);
  await expect(page.locator(":target")).toBeVisible();
  await docs.open("/docs/cache/quotas#namespaces");
  await expect(page).toHaveURL(`${NEW}#limits`);
});

test("2. a link on a page that was opened before", async ({ docs, page }) => {
  await docs.openHydrated("/docs/faq");
  await page.evaluate(() => {
    const link = document.createElement("a");
    link.href = "/docs/cache/keys#namespaces";
    link.textContent = "An old link";
    document.querySelector("#prose")?.prepend(link);
  });
  await page.getByRole("link", { name: "An old link" }).click();
  await expect(page.getByRole("heading", { level: 2, name: "Namespaces" })).toBeInViewport();
  // The server never saw the fragment, so it cannot send the router to another address without losing it.
  await page.reload();
  await expect(page).toHaveURL(`${NEW}#namespaces`);
});

test("3. without a network", async ({ docs, page, context }) => {
  await docs.openHydrated("/your-data");
  await page.getByRole("button", { name: "Keep a copy…" }).click();
  await page.getByRole("button", { name: /^Download/ }).click();
  await expect(page.getByText(/^On: \d+ pages/)).toBeVisible({ timeout: 20_000 });
  await context.setOffline(true);
  await docs.open("/docs/cache/keys?from=mail#namespaces");
  await expect(page).toHaveURL(`${NEW}?from=mail#namespaces`);
  await expect(page.getByText(/^Offline copy of/)).toBeVisible();
  const read = (path: string) => page.evaluate(async (address) => (await fetch(address)).text(), path);
  expect(await read("/docs/cache/keys.md")).toContain("## Namespaces");
  expect(await read("/docs/cache/keys.data")).toBe(await read(`${NEW}.data`));
});

/** The answer for agents. */
async function callMcpTool(request: APIRequestContext, name: string, values: object): Promise<string> {
  const answer = await request.post("/mcp", {
    headers: { accept: "application/json, text/event-stream" },
    data: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: values } },
  });
  return answer.text();
}

test("4. a draft", async ({ request }) => {
  const textOf = async (path: string) => (await request.get(path)).text();
  for (const form of ["", ".md", ".data", ".sections.json"]) {
    expect((await request.get(`${NEW}${form}`)).status(), form).toBe(200);
    expect((await request.get(`${DRAFT}${form}`)).status(), form).toBe(404);
  }
  // Each has part of a published page, which proves that it could have this page.
  for (const [path, published] of [
    [NEW, "/docs/cache/reference/turbo"],
    ["/sitemap.xml", NEW],
    ["/llms.txt", NEW],
    ["/llms-full.txt", NEW],
    ["/docs.atom", NEW],
    ["/docs/cache.atom", NEW],
    ["/docs/errors.json", "Payload Too Large"],
    ["/docs/glossary.json", "Cache namespace"],
  ] as const) {
    const text = await textOf(path);
    expect(text, path).toContain(published);
    expect(text, path).not.toMatch(/reference\/buck2|zanzibarite/i);
  }
  const ask = async (q: string) => {
    const answer = await request.post("/multi-search", { data: { queries: [{ indexUid: "docs", q }] } });
    return answer.text();
  };
  expect(await ask("namespaces")).toContain(NEW);
  expect(await ask(WORD)).not.toContain(DRAFT);

  const { address } = (await (await request.get("/offline.json")).json()) as { address: string };
  const pack = (await (await request.get(address)).body()).toString("latin1");
  expect(pack).toContain(`"${NEW}.md"`);
  expect(pack).not.toMatch(/reference\/buck2|zanzibarite/);

  expect(await callMcpTool(request, "search_docs", { query: "namespaces" })).toContain(NEW);
  expect(await callMcpTool(request, "search_docs", { query: WORD })).not.toContain(DRAFT);
  expect(await callMcpTool(request, "read_page", { page: NEW })).toContain("Namespaces");
  expect(await callMcpTool(request, "read_page", { page: DRAFT })).toContain('"isError":true');
});
