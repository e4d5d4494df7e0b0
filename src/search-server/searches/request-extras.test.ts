/**
 * 1. `showPerformanceDetails` reports the time of each stage by Meilisearch's names: of a search, of each of
 *    several, of a federated list as a whole; inside a federated query it is refused with Meilisearch's code.
 * 2. With the header `Meili-Include-Metadata: true` each query has its own number, its index and the primary
 *    key; never without it, and never from an answer kept for others.
 * 3. `@meilisearch/instant-meilisearch` passes the metadata on.
 */
import { serve } from "@hono/node-server";
import { instantMeiliSearch } from "@meilisearch/instant-meilisearch";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { createSearchRoutes } from "../routes.ts";
import { PUBLIC_INDEXES, wireStore } from "../testing/documents.ts";
import { createSender } from "../testing/requests.ts";
import { startTestServer, type TestServer } from "../testing/server.ts";

const routes = createSearchRoutes({ publicIndexes: PUBLIC_INDEXES, store: wireStore() });
const app = routes.admin;
const { send, errorOf } = createSender(app);
let server: TestServer;
beforeAll(async () => void (server = await startTestServer(serve, routes)));
afterAll(() => server.close());

const details = z.looseObject({
  "wait in queue": z.string(),
  "search > tokenize query": z.string(),
  "search > evaluate query": z.string(),
  "search > keyword ranking": z.string(),
  "search > format": z.string(),
  search: z.string().regex(/^\d+\.\d\d(?:µs|ms|s)$/),
});
const metadata = z.strictObject({
  queryUid: z.uuid(),
  indexUid: z.literal("docs"),
  primaryKey: z.literal("id"),
});
const header = { "Meili-Include-Metadata": "true" };
const query = { indexUid: "docs", q: "docker" };

test("1. performance", async () => {
  const asked = { q: "docker", showPerformanceDetails: true, filter: 'section = "CLI"', facets: ["section"] };
  const one = await send("/indexes/docs/search", asked);
  expect(details.parse((one.json as { performanceDetails: unknown }).performanceDetails)).toMatchObject({
    "search > evaluate filter": expect.any(String) as string,
    "search > facet distribution": expect.any(String) as string,
  });
  const several = await send("/multi-search", {
    queries: [{ ...query, showPerformanceDetails: true }, query],
  });
  const { results } = z.object({ results: z.array(z.looseObject({})) }).parse(several.json);
  details.parse(results[0]?.["performanceDetails"]);
  expect(results[1]).not.toHaveProperty("performanceDetails");
  const federation = { showPerformanceDetails: true };
  const { json } = await send("/multi-search", { federation, queries: [query, query] });
  z.object({ performanceDetails: z.looseObject({ search: z.string() }) }).parse(json);
  const code = "invalid_multi_search_query_show_performance_details";
  const inside = { federation: {}, queries: [{ ...query, showPerformanceDetails: true }] };
  expect(await errorOf("/multi-search", inside)).toMatchObject({ status: 400, code });
  const wrong = { federation: { showPerformanceDetails: "true" }, queries: [query] };
  expect(await errorOf("/multi-search", wrong)).toMatchObject({ status: 400, code });
});

test("2. metadata", async () => {
  const one = z.looseObject({ metadata, requestUid: z.uuid() });
  const first = one.parse((await send("/indexes/docs/search", { q: "docker" }, header)).json);
  const several = z.object({ results: z.array(one) });
  const twice = [1, 2].map(async () =>
    several.parse((await send("/multi-search", { queries: [query, query] }, header)).json),
  );
  const uids = (await Promise.all(twice)).flatMap(({ results }) =>
    results.map((result) => result.metadata.queryUid),
  );
  expect(new Set([first.metadata.queryUid, ...uids]).size).toBe(5);
  const federated = await send("/multi-search", { federation: {}, queries: [query, query] }, header);
  z.looseObject({ metadata: z.array(metadata).length(2) }).parse(federated.json);
  for (const headers of [undefined, { "Meili-Include-Metadata": "false" }]) {
    const { json } = await send("/multi-search", { queries: [query, query] }, headers);
    expect(JSON.stringify(json)).not.toContain("queryUid");
  }
});

test("3. the adapter", async () => {
  const { searchClient } = instantMeiliSearch(server.url, "", { requestInit: { headers: header } });
  // Its declared types need algoliasearch's, which are not installed.
  const client = searchClient as unknown as {
    search: (requests: object[]) => Promise<{ results: unknown[] }>;
  };
  const { results } = await client.search([{ indexName: "docs", params: { query: "docker" } }]);
  z.looseObject({ _meilisearch: z.looseObject({ metadata }) }).parse(results[0]);
});
