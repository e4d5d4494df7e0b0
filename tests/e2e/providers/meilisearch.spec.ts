/**
 * The site with `provider: "meilisearch"`, in front of a second process that speaks Meilisearch's protocol and is
 * filled by the site's start with the admin key. The same site configures a chat, which saves another build.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test as base } from "../fixtures.ts";
import { expectFailureAndRecovery, testSearchBehaviours } from "./behaviours.ts";
import { type Chat, openChat, testCommunityChat } from "./community-chat.ts";
import { freePort, type SiteCopy, startProcess, startSiteCopy } from "./site-copy.ts";

const SEARCH_PROCESS = fileURLToPath(new URL("search-process.ts", import.meta.url));
const ADMIN_KEY = "an-admin-key-for-the-tests";

interface Upstream {
  url: string;
  start: () => Promise<void>;
  stop: () => Promise<void>;
}

async function openUpstream() {
  const folder = await mkdtemp(join(tmpdir(), "millrace-upstream-"));
  const port = String(await freePort());
  const env = { PORT: port, SEARCH_ADMIN_KEY: ADMIN_KEY, DATA_DIR: folder };
  let running: ReturnType<typeof startProcess> | null = null;
  const start = async () => {
    running = startProcess(SEARCH_PROCESS, env);
    await running.printed(/listening/);
  };
  const stop = async () => running?.stop();
  const close = async () => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
  await start();
  return { url: `http://localhost:${port}`, start, stop, close };
}

/** The site, which also configures a chat. */
async function openSite(upstream: Upstream, chat: Chat): Promise<SiteCopy> {
  const env = { MEILISEARCH_URL: upstream.url, MEILISEARCH_ADMIN_KEY: ADMIN_KEY };
  return startSiteCopy({ search: { provider: "meilisearch" }, community: chat.community }, env);
}

let upstreamStarted: ReturnType<typeof openUpstream> | undefined;
let chatStarted: Promise<Chat> | undefined;
let siteStarted: Promise<SiteCopy> | undefined;

const test = base.extend<{ upstream: Upstream; chat: Chat; site: SiteCopy }>({
  // oxlint-disable-next-line no-empty-pattern
  upstream: async ({}, use) => use(await (upstreamStarted ??= openUpstream())),
  // oxlint-disable-next-line no-empty-pattern
  chat: async ({}, use) => use(await (chatStarted ??= openChat())),
  site: [
    async ({ upstream, chat }, use) => {
      siteStarted ??= openSite(upstream, chat);
      await use(await siteStarted);
    },
    { timeout: 300_000 },
  ],
  baseURL: async ({ site }, use) => use(site.origin),
});

// One worker: it starts the site once.
test.describe.configure({ mode: "default" });
test.afterAll(async () => {
  for (const started of [siteStarted, chatStarted, upstreamStarted]) await (await started)?.close();
});

// First, while no page has asked for the number.
testCommunityChat(test);

test("the start has filled the server's index; readers reach no other and no key", async ({
  page,
  site,
  upstream,
}) => {
  expect(site.output()).toMatch(/\d{3,} records sent to localhost:/);
  const stats = await page.request.get(`${upstream.url}/stats`, {
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
  });
  expect(await stats.json()).toMatchObject({ indexes: { docs: { isIndexing: false } } });
  const other = await page.request.post("/multi-search", { data: { queries: [{ indexUid: "other" }] } });
  expect(other.status()).toBe(404);
  expect((await page.request.get("/indexes")).status()).toBe(404);
  const html = await (await page.request.get("/docs")).text();
  expect(html).not.toContain(ADMIN_KEY);
  expect(html).not.toContain(upstream.url);
});

testSearchBehaviours(test);

test.describe("while the server is unreachable", () => {
  test.use({
    expectedErrors: /status of 50\d|^Docs search failed: |^uncaught: The search server cannot be reached\.$/,
  });

  test("the panel says so, the site keeps working, 'Try again' asks again", async ({ docs, upstream }) => {
    await expectFailureAndRecovery(docs, upstream);
  });
});
