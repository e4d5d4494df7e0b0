/**
 * Searches over HTTP with every option that affects which documents are returned, their order, and what is
 * reported about them.
 *
 * 1. Pages and windows together give every match once, whatever their size (property), up to the index's
 *    `maxTotalHits`; a greater limit is answered with what exists, and repeated as requested.
 * 2. `sort` orders the matches; `_geoPoint` gives `_geoDistance`; `distinct` keeps one document of each value.
 * 3. Scores are between 0 and 1 and fall; details name the rules; a threshold keeps what is above it.
 * 4. Facet counts are those of all filtered matches, whichever part is shown.
 * 5. `_formatted`, `_matchesPosition` and the retrieved attributes never show what is not displayed.
 */
import * as fc from "fast-check";
import * as z from "zod";
import { describe, expect, test } from "vitest";
import { createSearchRoutes } from "../routes.ts";
import { PUBLIC_INDEXES, storeOf } from "../testing/documents.ts";

const cities = [
  ["Paris", 48.8566, 2.3522, "France"],
  ["London", 51.5074, -0.1278, "England"],
  ["Lyon", 45.764, 4.8357, "France"],
  ["Madrid", 40.4168, -3.7038, "Spain"],
  ["Suva", -18.1416, 178.4419, "Fiji"],
] as const;

const documents = Array.from({ length: 60 }, (_, id) => {
  const [city, lat, lng, country] = cities[id % cities.length]!;
  return {
    id,
    title: id % 3 === 0 ? `Build cache ${id}` : `Cache notes ${id}`,
    text: `the office in ${city} builds caches`,
    country,
    price: (id * 37) % 60,
    _geo: { lat, lng },
    secret: `cache key ${id}`,
  };
});

const app = createSearchRoutes({
  publicIndexes: PUBLIC_INDEXES,
  store: storeOf("docs", documents, {
    searchableAttributes: ["title", "text", "country"],
    displayedAttributes: ["id", "title", "text", "country", "price", "_geo"],
    filterableAttributes: ["country", "price", "_geo"],
    sortableAttributes: ["price", "_geo"],
  }),
}).admin;

const answerSchema = z.looseObject({
  hits: z.array(
    z.looseObject({
      id: z.number(),
      country: z.string().optional(),
      price: z.number().optional(),
      _rankingScore: z.number().min(0).max(1).optional(),
    }),
  ),
  totalHits: z.number().optional(),
  totalPages: z.number().optional(),
  facetDistribution: z.record(z.string(), z.record(z.string(), z.number())).optional(),
});

async function search(body: object) {
  const response = await app.request("/indexes/docs/search", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const json: unknown = await response.json();
  expect(json).not.toHaveProperty("code");
  return answerSchema.parse(json);
}

const idsOf = ({ hits }: Awaited<ReturnType<typeof search>>) => hits.map(({ id }) => id);

test("1. pages", async () => {
  const query = fc.record({
    q: fc.constantFrom("", "cache", "build cache", "office in paris", "cahce"),
    filter: fc.constantFrom("", "country = France", "price < 30"),
    sort: fc.constantFrom([], ["price:asc"], ["_geoPoint(48.8, 2.3):asc"]),
  });
  await fc.assert(
    fc.asyncProperty(query, fc.integer({ min: 1, max: 25 }), async (asked, size) => {
      const all = idsOf(await search({ ...asked, limit: 100 }));
      expect(new Set(all).size).toBe(all.length);
      const [paged, windowed] = [[] as number[], [] as number[]];
      const { totalPages, totalHits } = await search({ ...asked, hitsPerPage: size });
      expect(totalHits).toBe(all.length);
      for (let page = 1; page <= totalPages!; page++) {
        paged.push(...idsOf(await search({ ...asked, page, hitsPerPage: size })));
        windowed.push(...idsOf(await search({ ...asked, limit: size, offset: (page - 1) * size })));
      }
      expect(paged).toEqual(all);
      expect(windowed).toEqual(all);
      expect(idsOf(await search({ ...asked, page: totalPages! + 1, hitsPerPage: size }))).toEqual([]);
    }),
    { numRuns: 25 },
  );
}, 30_000);

test("1. beyond maxTotalHits", async () => {
  const many = Array.from({ length: 30 }, (_, id) => ({ id, title: "cache" }));
  const limited = createSearchRoutes({
    publicIndexes: PUBLIC_INDEXES,
    store: storeOf("docs", many, { maxTotalHits: 12 }),
  }).admin;
  const ask = async (body: object) => {
    const response = await limited.request("/indexes/docs/search", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ q: "cache", ...body }),
    });
    return answerSchema.parse(await response.json());
  };
  const beyond = await ask({ limit: 5000 });
  expect(beyond.hits).toHaveLength(12);
  expect(beyond).toMatchObject({ limit: 5000, offset: 0, estimatedTotalHits: 12 });
  expect((await ask({ offset: 10, limit: 10 })).hits).toHaveLength(2);
  expect(await ask({ offset: 99 })).toMatchObject({ hits: [], offset: 12, limit: 20 });
  expect(await ask({ page: 2, hitsPerPage: 8 })).toMatchObject({ totalPages: 2, totalHits: 12 });
  expect((await ask({ page: 2, hitsPerPage: 8 })).hits).toHaveLength(4);
});

describe("2. order and distinct", () => {
  test("sort", async () => {
    const { hits } = await search({ q: "", sort: ["price:desc"], limit: 60 });
    const prices = hits.map(({ price }) => price!);
    expect(prices).toEqual(prices.toSorted((a, b) => b - a));
  });

  test("distance", async () => {
    const { hits } = await search({ q: "", sort: ["_geoPoint(51.5074, -0.1278):asc"], limit: 60 });
    const metres = hits.map((hit) => Number(hit["_geoDistance"]));
    expect(metres).toEqual(metres.toSorted((a, b) => a - b));
    expect(metres[0]).toBe(0);
    expect(metres.at(-1)).toBeGreaterThan(16_000_000);
    const near = await search({ q: "", filter: "_geoRadius(48.85, 2.35, 5000)", limit: 60 });
    expect(new Set(near.hits.map(({ country }) => country))).toEqual(new Set(["France"]));
    expect(near.hits).toHaveLength(12);
  });

  test("distinct", async () => {
    const { hits } = await search({ q: "cache", distinct: "country" });
    expect(hits.map(({ country }) => country).toSorted()).toEqual(["England", "Fiji", "France", "Spain"]);
  });
});

test("3. scores", async () => {
  const scored = { q: "build cache", showRankingScore: true, showRankingScoreDetails: true, limit: 60 };
  const { hits } = await search(scored);
  const scores = hits.map((hit) => hit["_rankingScore"]!);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(Object.keys(hits[0]!["_rankingScoreDetails"] ?? {}).length).toBeGreaterThan(0);
  const middle = scores[Math.floor(scores.length / 2)]!;
  const above = await search({ ...scored, rankingScoreThreshold: middle });
  expect(above.hits.every((hit) => hit["_rankingScore"]! >= middle)).toBe(true);
  expect(above.hits.length).toBe(scores.filter((score) => score >= middle).length);
});

test("4. facets", async () => {
  const filter = "price < 30";
  const { hits } = await search({ q: "cache", filter, limit: 60 });
  const expected: { [country: string]: number } = {};
  for (const { country } of hits) expected[country!] = (expected[country!] ?? 0) + 1;
  for (const window of [{ limit: 0 }, { limit: 1, offset: 5 }, { page: 2, hitsPerPage: 3 }]) {
    const { facetDistribution } = await search({ q: "cache", filter, facets: ["country"], ...window });
    expect(facetDistribution).toEqual({ country: expected });
  }
});

test("5. what is not displayed", async () => {
  const { hits } = await search({
    q: "cache",
    attributesToRetrieve: ["id", "secret"],
    attributesToHighlight: ["*"],
    attributesToCrop: ["secret", "text:2"],
    showMatchesPosition: true,
  });
  expect(JSON.stringify(hits)).not.toContain("key");
  expect(Object.keys(hits[0]!).toSorted()).toEqual(["_formatted", "_matchesPosition", "id"]);
  expect(hits[0]!["_formatted"]).toMatchObject({ text: "…builds <em>cache</em>s" });
});
