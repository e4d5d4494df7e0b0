/**
 * Rankings that the official clients' own tests expect of Meilisearch, over HTTP:
 *
 * 1. Standalone documents are ranked by the rules in their order: a title that begins with what was typed
 *    comes before an overview that has it as a word.
 * 2. Matching strategies drop words as Meilisearch does, with typos and with words that no document has.
 * 3. Ranking scores, their threshold and their details by rule, with Meilisearch's names and numbers.
 * 4. Sorts are reported by attribute, with the value.
 */
import { serve } from "@hono/node-server";
import { Meilisearch, type SearchParams } from "meilisearch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BOOKS, FILMS, HEROES } from "../testing/movies.ts";
import { startTestSession, succeeds, type TestSession } from "../testing/session.ts";

let session: TestSession;
let client: Meilisearch;

beforeAll(async () => {
  session = await startTestSession(serve);
  client = new Meilisearch({
    host: session.url,
    apiKey: session.adminKey,
    defaultWaitOptions: { interval: 5, timeout: 60_000 },
  });
  for (const [uid, documents] of Object.entries({ films: FILMS, books: BOOKS, heroes: HEROES })) {
    await succeeds(client.index(uid).addDocuments(documents, { primaryKey: "id" }));
  }
  await succeeds(client.index("books").updateSettings({ sortableAttributes: ["id", "genre"] }));
});
afterAll(() => session.close());

async function idsOf(uid: string, q: string, params: SearchParams = {}) {
  const { hits } = await client.index<{ id: number | string }>(uid).search(q, params);
  return hits.map(({ id }) => id);
}

describe("1. rules in their order", () => {
  test.each([
    ["ar", 2],
    ["s", 11],
    ["night", 6],
    ["kill", 24],
    ["hello", 2],
  ])("%s", async (q, first) => {
    expect((await idsOf("films", q))[0]).toBe(first);
  });
  test("the first words of the one before the later ones of the other", async () => {
    expect((await idsOf("films", "s")).slice(0, 2)).toEqual([11, 5]);
    expect(await idsOf("books", "prince")).toEqual([456, 4]);
  });
});

describe("2. matching strategies", () => {
  test.each([
    ["Captain Marvel", "last", ["3", "4", "2", "6", "7"]],
    ["Captain Marvel", "all", ["3", "4"]],
    ["Captain Marvel", "frequency", ["3", "4", "5"]],
    ["Capitain Marvel", "last", ["3", "4", "7", "2", "6"]],
    ["Capitain Marvel", "all", ["3", "4"]],
    ["Capitain Marvel", "frequency", ["3", "4", "5"]],
    ["Captain Supercopter Marvel", "last", ["2", "3", "4", "6", "7"]],
    ["Captain Supercopter Marvel", "all", []],
    ["Captain Supercopter Marvel", "frequency", ["3", "4", "5"]],
  ] as const)("%s, %s", async (q, matchingStrategy, ids) => {
    expect(await idsOf("heroes", q, { matchingStrategy })).toEqual(ids);
  });
  test("what stands in quotes must be there", async () => {
    expect(await idsOf("books", '"french book" about')).toEqual([456, 2]);
    expect(await idsOf("books", '"french book" about', { matchingStrategy: "all" })).toEqual([456]);
    expect(await idsOf("books", "french book")).toHaveLength(2);
  });
});

describe("3. ranking scores", () => {
  const options = { showRankingScore: true, showRankingScoreDetails: true } as const;
  test("scores and details", async () => {
    const { hits } = await client.index("books").search("prince", options);
    expect(hits[0]?._rankingScore).toBeCloseTo(116 / 132, 12);
    expect(hits[0]?._rankingScoreDetails).toEqual({
      words: { order: 0, matchingWords: 1, maxMatchingWords: 1, score: 1 },
      typo: { order: 1, typoCount: 0, maxTypoCount: 1, score: 1 },
      proximity: { order: 2, score: 1 },
      attributeRank: { order: 3, score: 1 },
      wordPosition: { order: 4, score: expect.closeTo(9 / 11, 12) as number },
      exactness: {
        order: 5,
        matchType: "noExactMatch",
        matchingWords: 1,
        maxMatchingWords: 1,
        score: expect.closeTo(1 / 3, 12) as number,
      },
    });
  });
  test("a threshold leaves out hits, and they do not count", async () => {
    const above = await client.index("books").search("prince", { ...options, rankingScoreThreshold: 0.8 });
    expect(above.hits.every((hit) => hit._rankingScore! >= 0.8)).toBe(true);
    const none = await client.index("books").search("prince", { rankingScoreThreshold: 0.9 });
    expect(none).toMatchObject({ hits: [], estimatedTotalHits: 0 });
    const some = await client.index("heroes").search("captain marvel", { rankingScoreThreshold: 0.999 });
    expect(some).toMatchObject({ hits: [{ id: "3" }], estimatedTotalHits: 1 });
  });
  test("no search, no rules to tell", async () => {
    const { hits } = await client.index("books").search("", options);
    expect(hits[0]).toMatchObject({ _rankingScore: 1, _rankingScoreDetails: {} });
  });
  test("words that are not given up are not a rule", async () => {
    const { hits } = await client.index("books").search("prince", { ...options, matchingStrategy: "all" });
    expect(Object.keys(hits[0]?._rankingScoreDetails ?? {})).toEqual([
      "typo",
      "proximity",
      "attributeRank",
      "wordPosition",
      "exactness",
    ]);
  });
  test("the former rule is both of them", async () => {
    const rules = ["words", "attribute"];
    await succeeds(client.index("books").updateRankingRules(rules));
    const { hits } = await client.index("books").search("prince", options);
    expect(hits[0]?._rankingScoreDetails).toMatchObject({
      attribute: {
        order: 1,
        attributeRankingOrderScore: 1,
        queryWordDistanceScore: 9 / 11,
        score: expect.closeTo(9 / 11, 12) as number,
      },
    });
    await succeeds(client.index("books").resetRankingRules());
  });
});

test("4. sorts", async () => {
  const { hits } = await client
    .index("books")
    .search("book", { sort: ["genre:asc", "id:desc"], showRankingScoreDetails: true });
  expect(hits[0]?._rankingScoreDetails).toMatchObject({
    "genre:asc": { order: 4, value: "adventure" },
    "id:desc": { order: 5, value: 456 },
    wordPosition: { order: 6 },
    exactness: { order: 7 },
  });
});
