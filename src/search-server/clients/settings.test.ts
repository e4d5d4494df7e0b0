/**
 * Settings, indexes and tasks through the official client `meilisearch` 0.57.
 *
 * 1. Every setting is read, changed, read back and reset; wrong ones are refused immediately.
 * 2. Indexes: create, list, get, primary key, stats, swap, delete; tasks and batches with their filters.
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
    defaultWaitOptions: { interval: 5, timeout: 60_000 },
  });
});
afterAll(() => session.close());

describe("1. settings", () => {
  test("all at once, in parts, and reset", async () => {
    await succeeds(admin.createIndex("settings", { primaryKey: "id" }));
    const initial = await admin.index("settings").getSettings();
    await succeeds(
      admin
        .index("settings")
        .updateSettings({ ...initial, stopWords: ["a"], synonyms: { k8s: ["kubernetes"] } }),
    );
    expect(await admin.index("settings").getSettings()).toEqual({
      ...initial,
      stopWords: ["a"],
      synonyms: { k8s: ["kubernetes"] },
    });
    await succeeds(admin.index("settings").resetSettings());
    expect(await admin.index("settings").getSettings()).toEqual(initial);
  });

  test("each one", async () => {
    const settings = admin.index("settings");
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
      filterableAttributes: [
        "year",
        {
          attributePatterns: ["tag_*"],
          features: { facetSearch: true, filter: { equality: true, comparison: true } },
        },
      ],
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
  }, 30_000);

  test("wrong ones are refused at once", async () => {
    expect(await codeOf(admin.index("settings").updateRankingRules(["words", "nonsense"]))).toBe(
      "invalid_settings_ranking_rules",
    );
    expect(await codeOf(admin.index("settings").updatePagination({ maxTotalHits: -1 }))).toBe(
      "invalid_settings_pagination",
    );
    const unknown = JSON.parse('{"stopWord":[]}') as object;
    expect(await codeOf(admin.index("settings").updateSettings(unknown))).toBe("bad_request");
  });
});

describe("2. indexes and tasks", () => {
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
