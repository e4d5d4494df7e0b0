/**
 * The site with `provider: "algolia"`: the browser asks Algolia's address, which a local stand-in answers; `?q=` is
 * answered by the site itself.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test as base } from "../fixtures.ts";
import { type AlgoliaServer, startAlgoliaServer } from "./algolia-server.ts";
import { expectFailureAndRecovery, testSearchBehaviours } from "./behaviours.ts";
import { type SiteCopy, startSiteCopy } from "./site-copy.ts";

const RECORDS = fileURLToPath(new URL("../../../.cache/test-build/search/docs.json", import.meta.url));
const algolia = { appId: "TESTAPP123", searchKey: "0123456789abcdef0123456789abcdef", indexName: "site" };

async function openStandIn() {
  // Written by the tests' own build.
  const records = JSON.parse(await readFile(RECORDS, "utf8")) as { [attribute: string]: unknown }[];
  return startAlgoliaServer({ ...algolia, records });
}

let standInStarted: Promise<AlgoliaServer> | undefined;
let siteStarted: Promise<SiteCopy> | undefined;

const test = base.extend<{ throughStandIn: void; standIn: AlgoliaServer; site: SiteCopy }>({
  // oxlint-disable-next-line no-empty-pattern
  standIn: async ({}, use) => use(await (standInStarted ??= openStandIn())),
  site: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      siteStarted ??= startSiteCopy({ search: { provider: "algolia", algolia } });
      await use(await siteStarted);
    },
    { timeout: 300_000 },
  ],
  baseURL: async ({ site }, use) => use(site.origin),
  expectedErrors: /^request to another origin: https:\/\/testapp123-dsn\.algolia\.net\//i,
  throughStandIn: [
    async ({ context, standIn }, use) => {
      await context.route(/^https:\/\/testapp123-dsn\.algolia\.net\//i, async (route) => {
        const { pathname } = new URL(route.request().url());
        await route.fulfill({ response: await route.fetch({ url: standIn.url + pathname }) });
      });
      await use();
    },
    { auto: true },
  ],
});

// One worker: it builds the site once.
test.describe.configure({ mode: "default" });
test.afterAll(async () => {
  await (await siteStarted)?.close();
  await (await standInStarted)?.close();
});

testSearchBehaviours(test);

test("the browser asks Algolia, not the site, and the policy lets it", async ({ docs, page, standIn }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("multi-search")) asked.push(request.url());
  });
  await docs.openHydrated();
  await docs.searchBox.fill("runner");
  await expect(docs.hits().first()).toBeVisible();
  expect(standIn.queries).toContain("runner");
  expect(asked).toEqual([]);
});

test.describe("while Algolia is unreachable", () => {
  test.use({
    expectedErrors:
      /^request to another origin: https:\/\/testapp123-dsn\.algolia\.net\/|status of 500|^Docs search failed: |^uncaught: Internal server error$/i,
  });

  test("the panel says so, the site keeps working, 'Try again' asks again", async ({ docs, standIn }) => {
    const set = (isDown: boolean) => () => void (standIn.isDown = isDown);
    await expectFailureAndRecovery(docs, { stop: set(true), start: set(false) });
  });
});
