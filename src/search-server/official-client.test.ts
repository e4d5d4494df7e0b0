/**
 * The official client `meilisearch` 0.57 against a running server.
 *
 * 1. Searching: search, searchGet, facet values, several indexes, federation; with any key and with none.
 * 2. Documents: add, replace, update, fetch, delete one, some, by filter, all; JSON, NDJSON and CSV.
 * 3. Settings: every setting read, changed, read back and reset; what they change shows in the next search.
 * 4. Indexes: create, list, get, primary key, stats, swap, delete; tasks and batches with their filters.
 * 5. Errors arrive as the client's own errors with the protocol's codes.
 * 6. Health, version, stats and keys answer what the client expects.
 */
import { Meilisearch, MeilisearchApiError } from "meilisearch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSearchApp } from "./app.ts";
import { type ContentService, openContentService } from "./content-service.ts";
import type { SearchStore } from "./store.ts";
import { wireStore } from "./test-documents.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

const ADMIN_KEY = "an-admin-key-for-tests";

let store: SearchStore;
let content: ContentService;
let server: TestServer;
let reader: Meilisearch;
let admin: Meilisearch;

beforeAll(async () => {
  store = wireStore();
  content = await openContentService({ store, dataDir: null });
  server = await startTestServer(createSearchApp({ store, content, adminKey: ADMIN_KEY }));
  reader = new Meilisearch({ host: server.url });
  admin = new Meilisearch({ host: server.url, apiKey: ADMIN_KEY, defaultWaitOptions: { interval: 5 } });
});

afterAll(async () => {
  await server.close();
  await content.close();
});

async function succeeds(task: ReturnType<Meilisearch["createIndex"]>) {
  const done = await task.waitTask();
  expect(done.error).toBeNull();
  expect(done.status).toBe("succeeded");
  return done;
}

async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MeilisearchApiError);
  return error instanceof MeilisearchApiError ? error.cause?.code : undefined;
}

const moviesIndex = () => admin.index("movies");
const settingsIndex = () => admin.index("settings");

const movies = [
  { id: 1, title: "Carol", year: 2015, genres: ["Romance", "Drama"] },
  { id: 2, title: "Wonder Woman", year: 2017, genres: ["Action", "Adventure"] },
  { id: 3, title: "Life of Pi", year: 2012, genres: ["Adventure", "Drama"] },
  { id: 4, title: "Mad Max: Fury Road", year: 2015, genres: ["Adventure", "Science Fiction"] },
];

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
      const client = new Meilisearch({ host: server.url, apiKey });
      expect((await client.index("docs").search("docker")).hits).toHaveLength(20);
    }
  });
});

describe("2. documents", () => {
  test("added, replaced, updated", async () => {
    await succeeds(
      moviesIndex().updateSettings({
        filterableAttributes: ["year", "genres"],
        sortableAttributes: ["year"],
      }),
    );
    const added = await succeeds(moviesIndex().addDocuments(movies));
    expect(added.details).toMatchObject({ receivedDocuments: 4, indexedDocuments: 4 });
    await succeeds(moviesIndex().updateDocuments([{ id: 1, year: 2016 }]));
    expect(await moviesIndex().getDocument(1)).toEqual({ ...movies[0], year: 2016 });
    await succeeds(moviesIndex().addDocuments([{ id: 1, title: "Carol II" }]));
    expect(await moviesIndex().getDocument(1)).toEqual({ id: 1, title: "Carol II" });
    expect(await moviesIndex().fetchPrimaryKey()).toBe("id");
  });

  test("fetched", async () => {
    const all = await moviesIndex().getDocuments({ limit: 2, offset: 1 });
    expect(all).toMatchObject({ limit: 2, offset: 1, total: 4 });
    const filtered = await moviesIndex().getDocuments({
      filter: "genres = adventure",
      fields: ["title"],
      sort: ["year:desc"],
    });
    expect(filtered.results).toEqual([
      { title: "Wonder Woman" },
      { title: "Mad Max: Fury Road" },
      { title: "Life of Pi" },
    ]);
    expect((await moviesIndex().getDocuments({ ids: [2, 3] })).total).toBe(2);
    expect(await moviesIndex().getDocument(4, { fields: ["year"] })).toEqual({ year: 2015 });
    expect(await codeOf(moviesIndex().getDocument(99))).toBe("document_not_found");
  });

  test("other formats", async () => {
    await succeeds(
      moviesIndex().addDocumentsFromString(
        '{"id":10,"title":"X"}\n{"id":11,"title":"Y"}',
        "application/x-ndjson",
      ),
    );
    await succeeds(
      moviesIndex().addDocumentsFromString(
        'id:number;title;year:number\n12;"Z; the ""end""";1999\n',
        "text/csv",
        {
          csvDelimiter: ";",
        },
      ),
    );
    expect(await moviesIndex().getDocument(12)).toEqual({ id: 12, title: 'Z; the "end"', year: 1999 });
  });

  test("deleted", async () => {
    await succeeds(moviesIndex().deleteDocument(10));
    await succeeds(moviesIndex().deleteDocuments([11, 12]));
    const byFilter = await succeeds(moviesIndex().deleteDocuments({ filter: "year = 2017" }));
    expect(byFilter.details).toMatchObject({ deletedDocuments: 1 });
    expect((await moviesIndex().search("")).hits.map((hit) => hit["id"]).toSorted()).toEqual([1, 3, 4]);
    await succeeds(moviesIndex().deleteAllDocuments());
    expect((await moviesIndex().getStats()).numberOfDocuments).toBe(0);
  });

  test("a wrong batch changes nothing and says why", async () => {
    const missing = await moviesIndex()
      .addDocuments([{ id: 1 }, { title: "no id" }])
      .waitTask();
    expect(missing).toMatchObject({ status: "failed", error: { code: "missing_document_id" } });
    const invalid = await moviesIndex()
      .addDocuments([{ id: "a/b" }])
      .waitTask();
    expect(invalid.error?.code).toBe("invalid_document_id");
    const keyless = await admin
      .index("keyless")
      .addDocuments([{ name: "x" }])
      .waitTask();
    expect(keyless.error?.code).toBe("index_primary_key_no_candidate_found");
    expect((await moviesIndex().getDocuments()).total).toBe(0);
  });

  test("many small uploads", async () => {
    const tasks = moviesIndex().addDocumentsInBatches(
      Array.from({ length: 60 }, (_, id) => ({ id, title: `film ${id}` })),
      5,
    );
    for (const task of tasks) await succeeds(task);
    expect((await moviesIndex().getDocuments()).total).toBe(60);
  });
});

test("2. records as a docs scraper uploads them", async () => {
  const scraped = admin.index("scraped");
  await succeeds(admin.createIndex("scraped", { primaryKey: "objectID" }));
  await succeeds(
    scraped.updateSettings({
      rankingRules: [
        "words",
        "typo",
        "attribute",
        "proximity",
        "exactness",
        "page_rank:desc",
        "level:desc",
        "position:asc",
      ],
      distinctAttribute: "url",
      searchableAttributes: [
        "hierarchy_radio_lvl0",
        "hierarchy_lvl0",
        "hierarchy_lvl1",
        "hierarchy_lvl2",
        "content",
      ],
      displayedAttributes: [
        "hierarchy_lvl0",
        "hierarchy_lvl1",
        "hierarchy_lvl2",
        "anchor",
        "url",
        "content",
        "objectID",
      ],
      synonyms: { js: ["javascript"] },
      stopWords: ["the"],
    }),
  );
  const record = {
    anchor: "a",
    hierarchy_lvl0: "Docs",
    hierarchy_lvl1: "Cache",
    hierarchy_lvl2: null,
    content: null,
  };
  await succeeds(
    scraped.addDocuments([
      { ...record, objectID: "1a", url: "https://x.test/cache", level: 100, position: 0, page_rank: 0 },
      {
        ...record,
        objectID: "1b",
        url: "https://x.test/cache",
        content: "the cache keeps layers",
        level: 0,
        position: 1,
        page_rank: 0,
      },
      {
        ...record,
        objectID: "2a",
        url: "https://x.test/cache#keys",
        hierarchy_lvl2: "Keys",
        level: 80,
        position: 2,
        page_rank: 0,
      },
    ]),
  );
  const { hits } = await scraped.search("cache");
  expect(new Set(hits.map((hit) => hit["url"])).size).toBe(hits.length);
  expect(hits[0]).not.toHaveProperty("level");
});

describe("3. settings", () => {
  test("all at once, in parts, and reset", async () => {
    await succeeds(admin.createIndex("settings", { primaryKey: "id" }));
    const initial = await settingsIndex().getSettings();
    await succeeds(
      settingsIndex().updateSettings({ ...initial, stopWords: ["a"], synonyms: { k8s: ["kubernetes"] } }),
    );
    expect(await settingsIndex().getSettings()).toEqual({
      ...initial,
      stopWords: ["a"],
      synonyms: { k8s: ["kubernetes"] },
    });
    await succeeds(settingsIndex().resetSettings());
    expect(await settingsIndex().getSettings()).toEqual(initial);
  });

  test("each one", async () => {
    const settings = settingsIndex();
    await succeeds(settings.updateSearchableAttributes(["title"]));
    await succeeds(settings.updateDisplayedAttributes(["title", "year"]));
    await succeeds(
      settings.updateFilterableAttributes([
        "year",
        {
          attributePatterns: ["tag_*"],
          features: { facetSearch: true, filter: { equality: true, comparison: true } },
        },
      ]),
    );
    await succeeds(settings.updateSortableAttributes(["year"]));
    await succeeds(settings.updateRankingRules(["words", "typo", "year:desc"]));
    await succeeds(settings.updateStopWords(["of"]));
    await succeeds(settings.updateSynonyms({ pi: ["3.14"] }));
    await succeeds(settings.updateDistinctAttribute("year"));
    await succeeds(
      settings.updateTypoTolerance({ minWordSizeForTypos: { oneTypo: 4 }, disableOnWords: ["pi"] }),
    );
    await succeeds(settings.updateFaceting({ maxValuesPerFacet: 7, sortFacetValuesBy: { year: "count" } }));
    await succeeds(settings.updatePagination({ maxTotalHits: 50 }));
    await succeeds(settings.updateSeparatorTokens(["&"]));
    await succeeds(settings.updateNonSeparatorTokens(["#"]));
    await succeeds(settings.updateDictionary(["J. R. R."]));
    await succeeds(settings.updateProximityPrecision("byAttribute"));
    await succeeds(settings.updateSearchCutoffMs(500));
    await succeeds(settings.updateLocalizedAttributes([{ attributePatterns: ["*_ja"], locales: ["jpn"] }]));
    await succeeds(settings.updateFacetSearch(false));
    await succeeds(settings.updatePrefixSearch("disabled"));
    await succeeds(settings.updateEmbedders({}));
    expect(await settings.getSettings()).toEqual({
      searchableAttributes: ["title"],
      displayedAttributes: ["title", "year"],
      filterableAttributes: ["year", "tag_*"],
      sortableAttributes: ["year"],
      rankingRules: ["words", "typo", "year:desc"],
      stopWords: ["of"],
      synonyms: { pi: ["3.14"] },
      distinctAttribute: "year",
      typoTolerance: {
        enabled: true,
        minWordSizeForTypos: { oneTypo: 4, twoTypos: 9 },
        disableOnWords: ["pi"],
        disableOnAttributes: [],
        disableOnNumbers: expect.any(Boolean) as boolean,
      },
      faceting: { maxValuesPerFacet: 7, sortFacetValuesBy: { "*": "alpha", year: "count" } },
      pagination: { maxTotalHits: 50 },
      separatorTokens: ["&"],
      nonSeparatorTokens: ["#"],
      dictionary: ["J. R. R."],
      proximityPrecision: "byAttribute",
      searchCutoffMs: 500,
      localizedAttributes: [{ attributePatterns: ["*_ja"], locales: ["jpn"] }],
      facetSearch: false,
      prefixSearch: "disabled",
      embedders: {},
    });
    expect(await settings.getTypoTolerance()).toMatchObject({ disableOnWords: ["pi"] });
    expect(await settings.getDistinctAttribute()).toBe("year");
    await succeeds(settings.resetTypoTolerance());
    await succeeds(settings.resetFaceting());
    await succeeds(settings.resetStopWords());
    expect(await settings.getStopWords()).toEqual([]);
    expect(await settings.getFaceting()).toEqual({
      maxValuesPerFacet: 100,
      sortFacetValuesBy: { "*": "alpha" },
    });
  });

  test("wrong ones are refused at once", async () => {
    expect(await codeOf(settingsIndex().updateRankingRules(["words", "nonsense"]))).toBe(
      "invalid_settings_ranking_rules",
    );
    expect(await codeOf(settingsIndex().updatePagination({ maxTotalHits: -1 }))).toBe(
      "invalid_settings_pagination",
    );
    const unknown = JSON.parse('{"stopWord":[]}') as object;
    expect(await codeOf(settingsIndex().updateSettings(unknown))).toBe("bad_request");
  });
});

describe("4. indexes and tasks", () => {
  test("the life of an index", async () => {
    await succeeds(admin.createIndex("one"));
    await succeeds(admin.createIndex("two", { primaryKey: "key" }));
    await succeeds(admin.updateIndex("one", { primaryKey: "uid" }));
    expect(await admin.getRawIndex("one")).toMatchObject({ uid: "one", primaryKey: "uid" });
    const listed = await admin.getIndexes({ limit: 100 });
    expect(listed.results.map(({ uid }) => uid)).toEqual(
      expect.arrayContaining(["blog", "docs", "one", "two"]),
    );
    await succeeds(admin.swapIndexes([{ indexes: ["one", "two"], rename: false }]));
    expect((await admin.getRawIndex("one")).primaryKey).toBe("key");
    const again = await admin.createIndex("one").waitTask();
    expect(again.error?.code).toBe("index_already_exists");
    await succeeds(admin.deleteIndex("one"));
    const second = await admin.deleteIndex("one").waitTask();
    expect(second.error?.code).toBe("index_not_found");
    expect(await codeOf(admin.getRawIndex("one"))).toBe("index_not_found");
    const gone = await admin.index("one").deleteAllDocuments().waitTask();
    expect(gone.error?.code).toBe("index_not_found");
  });

  test("tasks", async () => {
    const some = await admin.tasks.getTasks({
      indexUids: ["two"],
      types: ["indexCreation"],
      statuses: ["succeeded"],
    });
    expect(some.results).toHaveLength(1);
    const task = await admin.tasks.getTask(some.results[0]!.uid);
    expect(task).toMatchObject({ indexUid: "two", type: "indexCreation", details: { primaryKey: "key" } });
    expect(task.duration).toMatch(/^PT[\d.]+S$/);
    const paged = await admin.tasks.getTasks({ limit: 2 });
    expect(paged.results).toHaveLength(2);
    expect(paged.next).toBe(paged.from! - 2);
    expect(await codeOf(admin.tasks.getTask(999_999))).toBe("task_not_found");
    const batch = await admin.batches.getBatch(task.batchUid!);
    expect(batch).toMatchObject({ uid: task.batchUid, progress: null, stats: { totalNbTasks: 1 } });
    const canceled = await succeeds(admin.tasks.cancelTasks({ uids: [task.uid] }));
    expect(canceled.details).toMatchObject({ matchedTasks: 1, canceledTasks: 0 });
    const deleted = await succeeds(admin.tasks.deleteTasks({ uids: [task.uid] }));
    expect(deleted.details).toMatchObject({ matchedTasks: 1, deletedTasks: 1 });
  });
});

test("5. errors", async () => {
  expect(await codeOf(reader.index("nowhere").search("x"))).toBe("index_not_found");
  expect(await codeOf(reader.index("docs").search("x", { filter: "title = a" }))).toBe(
    "invalid_search_filter",
  );
  expect(await codeOf(reader.index("docs").search("x", { sort: ["title:asc"] }))).toBe("invalid_search_sort");
  expect(await codeOf(reader.index("docs").search("x", { distinct: "title" }))).toBe(
    "invalid_search_distinct",
  );
  expect(await codeOf(reader.index("docs").search("x", { limit: -1 }))).toBe("invalid_search_limit");
  expect(await codeOf(reader.index("bad name").search("x"))).toBe("invalid_index_uid");
  expect(await codeOf(reader.index("docs").searchSimilarDocuments({ id: 1 }))).toBe("feature_not_enabled");
  expect(await codeOf(reader.getIndexes())).toBe("missing_authorization_header");
  expect(await codeOf(new Meilisearch({ host: server.url, apiKey: "wrong" }).getKeys())).toBe(
    "invalid_api_key",
  );
  expect(await codeOf(admin.createDump())).toBe("not_found");
});

test("6. status", async () => {
  expect(await reader.health()).toEqual({ status: "available" });
  expect(await reader.isHealthy()).toBe(true);
  expect(await reader.getVersion()).toHaveProperty("pkgVersion");
  const stats = await reader.getStats();
  expect(stats.indexes["docs"]).toMatchObject({
    numberOfDocuments: 57,
    isIndexing: false,
    fieldDistribution: { title: 57 },
  });
  const { results } = await admin.getKeys();
  expect(results.map(({ actions }) => actions)).toEqual([["search"], ["*"]]);
  expect(await admin.getKey(ADMIN_KEY)).toMatchObject({ key: ADMIN_KEY });
  expect(await codeOf(admin.createKey({ actions: ["search"], indexes: ["*"], expiresAt: null }))).toBe(
    "feature_not_enabled",
  );
});
