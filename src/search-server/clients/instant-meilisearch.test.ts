/**
 * `@meilisearch/instant-meilisearch` 0.31.3, the adapter that InstantSearch widgets talk through, against a running
 * server (no browser).
 *
 * 1. A search has hits, highlights, snippets, facet counts and the number of pages that the widgets read.
 * 2. A refined facet keeps the counts of the other values; a numeric filter and a sort work.
 * 3. Facet values are searched with typos.
 * 4. The server's error becomes the adapter's error, with the server's message.
 */
import { serve } from "@hono/node-server";
import { instantMeiliSearch } from "@meilisearch/instant-meilisearch";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createSearchRoutes } from "../routes.ts";
import { PUBLIC_INDEXES, wireStore } from "../testing/documents.ts";
import { startTestServer, type TestServer } from "../testing/server.ts";

/** The part of the adapter that widgets use, with the fields they read; its own types are InstantSearch's. */
interface Client {
  search: (requests: object[]) => Promise<{ results: Result[] }>;
  searchForFacetValues: (requests: object[]) => Promise<{ facetHits: object[] }[]>;
}

interface Result {
  hits: { objectID: string; section: string; [name: string]: unknown }[];
  nbHits: number;
  facets?: { [facet: string]: { [value: string]: number } };
}

let server: TestServer;
let client: Client;

beforeAll(async () => {
  server = await startTestServer(
    serve,
    createSearchRoutes({ publicIndexes: PUBLIC_INDEXES, store: wireStore() }),
  );
  const { searchClient } = instantMeiliSearch(server.url, "", { finitePagination: true, primaryKey: "id" });
  // Its declared types need algoliasearch's, which are not installed; what it returns is checked below.
  client = searchClient as unknown as Client;
});
afterAll(() => server.close());

const base = { query: "docker", hitsPerPage: 5, page: 0, facets: ["section"] };

async function search(...params: object[]) {
  const requests = params.map((own) => ({ indexName: "docs", params: { ...base, ...own } }));
  const { results } = await client.search(requests);
  return results;
}

test("1. a search", async () => {
  const [result] = await search({ attributesToSnippet: ["content:3"], snippetEllipsisText: "…" });
  expect(result).toMatchObject({ nbHits: 57, nbPages: 12, page: 0, hitsPerPage: 5, query: "docker" });
  expect(result!.hits).toHaveLength(5);
  expect(result!.facets?.["section"]).toMatchObject({ CLI: 11, "Container builds": 12 });
  const hit = result!.hits[0]!;
  expect(hit.objectID).toMatch(/^doc-\d+$/);
  expect(hit).toMatchObject({
    _highlightResult: {
      title: { value: expect.stringMatching(/^__ais-highlight__Docker__\/ais-highlight__ Page/) as string },
    },
    _snippetResult: { content: { value: "…use __ais-highlight__docker__/ais-highlight__ build…" } },
  });
});

test("2. a refined facet", async () => {
  const [refined, others] = await search(
    { facetFilters: [["section:CLI"]] },
    { facetFilters: [], hitsPerPage: 0, analytics: false },
  );
  expect(refined!.nbHits).toBe(11);
  expect(new Set(refined!.hits.map((hit) => hit.section))).toEqual(new Set(["CLI"]));
  expect(Object.keys(others!.facets?.["section"] ?? {})).toHaveLength(5);
});

test("3. facet values", async () => {
  const [values] = await client.searchForFacetValues([
    { indexName: "docs", params: { ...base, facetName: "section", facetQuery: "contaner" } },
  ]);
  expect(values!.facetHits).toMatchObject([{ value: "Container builds", count: 12 }]);
});

test("4. errors", async () => {
  // The adapter also writes the error to the console.
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  await expect(search({ filters: "title = x" })).rejects.toThrow("Attribute `title` is not filterable");
  expect(log).toHaveBeenCalledOnce();
  log.mockRestore();
});
