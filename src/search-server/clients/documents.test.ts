/**
 * Documents through the official client `meilisearch` 0.57.
 *
 * 1. Add, replace, update, fetch, delete one, some, by filter, all; JSON, NDJSON and CSV; a wrong batch does nothing.
 * 2. Records and settings as a docs scraper uploads them are searchable immediately.
 */
import { serve } from "@hono/node-server";
import { Meilisearch } from "meilisearch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeOf, succeeds, startTestSession, type TestSession } from "../testing/session.ts";

let session: TestSession;
let admin: Meilisearch;

beforeAll(async () => {
  session = await startTestSession(serve);
  admin = new Meilisearch({
    host: session.url,
    apiKey: session.adminKey,
    defaultWaitOptions: { interval: 5 },
  });
});
afterAll(() => session.close());

const movies = [
  { id: 1, title: "Carol", year: 2015, genres: ["Romance", "Drama"] },
  { id: 2, title: "Wonder Woman", year: 2017, genres: ["Action", "Adventure"] },
  { id: 3, title: "Life of Pi", year: 2012, genres: ["Adventure", "Drama"] },
  { id: 4, title: "Mad Max: Fury Road", year: 2015, genres: ["Adventure", "Science Fiction"] },
];

describe("1. documents", () => {
  test("added, replaced, updated", async () => {
    await succeeds(
      admin.index("movies").updateSettings({
        filterableAttributes: ["year", "genres"],
        sortableAttributes: ["year"],
      }),
    );
    const added = await succeeds(admin.index("movies").addDocuments(movies));
    expect(added.details).toMatchObject({ receivedDocuments: 4, indexedDocuments: 4 });
    await succeeds(admin.index("movies").updateDocuments([{ id: 1, year: 2016 }]));
    expect(await admin.index("movies").getDocument(1)).toEqual({ ...movies[0], year: 2016 });
    await succeeds(admin.index("movies").addDocuments([{ id: 1, title: "Carol II" }]));
    expect(await admin.index("movies").getDocument(1)).toEqual({ id: 1, title: "Carol II" });
    expect(await admin.index("movies").fetchPrimaryKey()).toBe("id");
  });

  test("fetched", async () => {
    const all = await admin.index("movies").getDocuments({ limit: 2, offset: 1 });
    expect(all).toMatchObject({ limit: 2, offset: 1, total: 4 });
    const filtered = await admin.index("movies").getDocuments({
      filter: "genres = adventure",
      fields: ["title"],
      sort: ["year:desc"],
    });
    expect(filtered.results).toEqual([
      { title: "Wonder Woman" },
      { title: "Mad Max: Fury Road" },
      { title: "Life of Pi" },
    ]);
    expect((await admin.index("movies").getDocuments({ ids: [2, 3] })).total).toBe(2);
    expect(await admin.index("movies").getDocument(4, { fields: ["year"] })).toEqual({ year: 2015 });
    expect(await codeOf(admin.index("movies").getDocument(99))).toBe("document_not_found");
  });

  test("other formats", async () => {
    await succeeds(
      admin
        .index("movies")
        .addDocumentsFromString('{"id":10,"title":"X"}\n{"id":11,"title":"Y"}', "application/x-ndjson"),
    );
    await succeeds(
      admin
        .index("movies")
        .addDocumentsFromString('id:number;title;year:number\n12;"Z; the ""end""";1999\n', "text/csv", {
          csvDelimiter: ";",
        }),
    );
    expect(await admin.index("movies").getDocument(12)).toEqual({
      id: 12,
      title: 'Z; the "end"',
      year: 1999,
    });
  });

  test("deleted", async () => {
    await succeeds(admin.index("movies").deleteDocument(10));
    await succeeds(admin.index("movies").deleteDocuments([11, 12]));
    const byFilter = await succeeds(admin.index("movies").deleteDocuments({ filter: "year = 2017" }));
    expect(byFilter.details).toMatchObject({ deletedDocuments: 1 });
    expect((await admin.index("movies").search("")).hits.map((hit) => hit["id"]).toSorted()).toEqual([
      1, 3, 4,
    ]);
    await succeeds(admin.index("movies").deleteAllDocuments());
    expect((await admin.index("movies").getStats()).numberOfDocuments).toBe(0);
  });

  test("a wrong batch changes nothing and says why", async () => {
    const missing = await admin
      .index("movies")
      .addDocuments([{ id: 1 }, { title: "no id" }])
      .waitTask();
    expect(missing).toMatchObject({ status: "failed", error: { code: "missing_document_id" } });
    const invalid = await admin
      .index("movies")
      .addDocuments([{ id: "a/b" }])
      .waitTask();
    expect(invalid.error?.code).toBe("invalid_document_id");
    const keyless = await admin
      .index("keyless")
      .addDocuments([{ name: "x" }])
      .waitTask();
    expect(keyless.error?.code).toBe("index_primary_key_no_candidate_found");
    expect((await admin.index("movies").getDocuments()).total).toBe(0);
  });

  test("many small uploads", async () => {
    const tasks = admin.index("movies").addDocumentsInBatches(
      Array.from({ length: 60 }, (_, id) => ({ id, title: `film ${id}` })),
      5,
    );
    for (const task of tasks) await succeeds(task);
    expect((await admin.index("movies").getDocuments()).total).toBe(60);
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
