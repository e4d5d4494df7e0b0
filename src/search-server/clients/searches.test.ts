/**
 * Searches of the official client `meilisearch` 0.57 against a running server.
 *
 * 1. search and searchGet, pages, facets, facet values, several indexes, federation; with any key and with none.
 * 2. Errors arrive as the client's own errors with the protocol's codes.
 * 3. Health is open to all; version, stats and keys need a key with the right.
 */
import { serve } from "@hono/node-server";
import { Meilisearch } from "meilisearch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeOf, startTestSession, type TestSession } from "../testing/session.ts";

let session: TestSession;
let reader: Meilisearch;
let admin: Meilisearch;

beforeAll(async () => {
  session = await startTestSession(serve);
  reader = new Meilisearch({ host: session.url });
  admin = new Meilisearch({
    host: session.url,
    apiKey: session.adminKey,
    defaultWaitOptions: { interval: 5 },
  });
});
afterAll(() => session.close());

describe("1. searching", () => {
  test("search and searchGet agree", async () => {
    const options = {
      limit: 3,
      offset: 1,
      filter: 'section = "CLI"',
      attributesToRetrieve: ["title"],
      attributesToHighlight: ["title"],
      attributesToCrop: ["content"],
      cropLength: 3,
      showMatchesPosition: true,
      showRankingScore: true,
    };
    const posted = await reader.index("docs").search("docker page", options);
    const got = await reader.index("docs").searchGet("docker page", options);
    expect({ ...got, processingTimeMs: 0 }).toEqual({ ...posted, processingTimeMs: 0 });
    expect(posted.hits).toHaveLength(3);
    const first = posted.hits[0]!;
    expect(first["_formatted"]?.["title"]).toContain("<em>Docker</em>");
    expect(Object.keys(first["_formatted"] ?? {}).toSorted()).toEqual(["content", "title"]);
    expect(first["_matchesPosition"]).toHaveProperty("title");
    expect(first["_rankingScore"]).toBeGreaterThan(0);
  });

  test("pages", async () => {
    const page = await reader.index("docs").search("", { page: 6, hitsPerPage: 10 });
    expect(page).toMatchObject({ page: 6, hitsPerPage: 10, totalPages: 6, totalHits: 57 });
    expect(page.hits).toHaveLength(7);
  });

  test("facets", async () => {
    const { facetDistribution, facetStats } = await reader
      .index("docs")
      .search("", { facets: ["*"], limit: 0 });
    expect(facetDistribution?.["section"]).toMatchObject({ CLI: 11, "Container builds": 12 });
    expect(facetStats).toEqual({});
    const values = await reader
      .index("docs")
      .searchForFacetValues({ facetName: "section", facetQuery: "contaner" });
    expect(values.facetHits).toEqual([{ value: "Container builds", count: 12 }]);
    expect(values.facetQuery).toBe("contaner");
  });

  test("several indexes, and one list of them", async () => {
    const queries = [
      { indexUid: "docs", q: "docker" },
      { indexUid: "blog", q: "page", filter: "section = API" },
    ];
    const { results } = await reader.multiSearch({ queries });
    expect(results.map(({ indexUid }) => indexUid)).toEqual(["docs", "blog"]);
    const federated = await reader.multiSearch({
      federation: { limit: 5, facetsByIndex: { docs: ["section"] }, mergeFacets: {} },
      queries: [
        { indexUid: "docs", q: "docker" },
        { ...queries[1]!, federationOptions: { weight: 3 } },
      ],
    });
    expect(federated.hits).toHaveLength(5);
    expect(federated.hits[0]!["_federation"]).toMatchObject({ indexUid: "blog", queriesPosition: 1 });
    expect(federated.facetDistribution?.["section"]).toHaveProperty("CLI");
  });

  test("any key may search", async () => {
    for (const apiKey of ["", "whatever"]) {
      const client = new Meilisearch({ host: session.url, apiKey });
      expect((await client.index("docs").search("docker")).hits).toHaveLength(20);
    }
  });
});

test("2. errors", async () => {
  expect(await codeOf(admin.index("nowhere").search("x"))).toBe("index_not_found");
  expect(await codeOf(reader.index("docs").search("x", { filter: "title = a" }))).toBe(
    "invalid_search_filter",
  );
  expect(await codeOf(reader.index("docs").search("x", { sort: ["title:asc"] }))).toBe("invalid_search_sort");
  expect(await codeOf(reader.index("docs").search("x", { distinct: "title" }))).toBe(
    "invalid_search_distinct",
  );
  expect(await codeOf(reader.index("docs").search("x", { limit: -1 }))).toBe("invalid_search_limit");
  expect(await codeOf(reader.index("bad name").search("x"))).toBe("invalid_index_uid");
  expect(await codeOf(reader.index("docs").searchSimilarDocuments({ id: 1 }))).toBe(
    "missing_similar_embedder",
  );
  expect(await codeOf(reader.getIndexes())).toBe("missing_authorization_header");
  expect(await codeOf(new Meilisearch({ host: session.url, apiKey: "wrong" }).getKeys())).toBe(
    "invalid_api_key",
  );
  expect(await codeOf(admin.createDump())).toBe("feature_not_enabled");
});

test("3. status", async () => {
  expect(await reader.health()).toEqual({ status: "available" });
  expect(await reader.isHealthy()).toBe(true);
  expect(await codeOf(reader.getVersion())).toBe("missing_authorization_header");
  expect(await codeOf(reader.getStats())).toBe("missing_authorization_header");
  expect(await admin.getVersion()).toHaveProperty("pkgVersion");
  const stats = await admin.getStats();
  expect(stats.indexes["docs"]).toMatchObject({
    numberOfDocuments: 57,
    isIndexing: false,
    fieldDistribution: { title: 57 },
  });
  const { results } = await admin.getKeys();
  expect(results.map(({ actions }) => actions)).toEqual([["search"], ["*"]]);
});
