/**
 * Requests recorded from the real search client (instant-meilisearch 0.31.3), replayed.
 *
 * 1. Each is answered 200 with the recorded fields, of the recorded types, and the recorded number of hits.
 * 2. Totals, facet counts and highlighting marks match the recorded ones.
 * 3. In process the same body has the same answer as over HTTP.
 */
import { readFileSync } from "node:fs";
import * as z from "zod";
import { expect, test } from "vitest";
import { createSearchRoutes } from "./routes.ts";
import { searchInProcess } from "./searches/multi-search.ts";
import { PUBLIC_INDEXES, wireStore } from "./testing/documents.ts";

const recorded = z
  .array(
    z.object({
      from: z.array(z.string()),
      method: z.string(),
      path: z.string(),
      body: z.record(z.string(), z.unknown()),
      answer: z.record(z.string(), z.unknown()),
    }),
  )
  .parse(
    JSON.parse(
      readFileSync(new URL("../../tests/fixtures/wire/instant-meilisearch.json", import.meta.url), "utf8"),
    ),
  );

const store = wireStore();
const app = createSearchRoutes({ publicIndexes: PUBLIC_INDEXES, store }).admin;

async function replay({ method, path, body }: (typeof recorded)[number]) {
  const response = await app.request(path, {
    method,
    headers: {
      "content-type": "application/json",
      authorization: "Bearer public-search-key",
      "x-meilisearch-client": "Meilisearch instant-meilisearch (v0.31.3) ; Meilisearch JavaScript (v0.57.0)",
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json()) as Json };
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The value with every leaf replaced by its type; lists by the shape of their first element. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
  const entries = Object.entries(value).filter(([key]) => key !== "hitCount");
  return Object.fromEntries(entries.sort().map(([key, item]) => [key, shapeOf(item)]));
}

/** Answers without hits have no hit shape to compare; the rest is compared. */
function withHits(answer: unknown): unknown {
  const { results } = z.object({ results: z.array(z.record(z.string(), z.unknown())) }).parse(answer);
  return results.map((result) => (isComparable(String(result["query"])) ? result : { ...result, hits: [] }));
}

const counted = z.object({
  results: z.array(
    z.object({
      query: z.string(),
      hitCount: z.number().optional(),
      hits: z.array(z.record(z.string(), z.unknown())),
      estimatedTotalHits: z.number().optional(),
      totalHits: z.number().optional(),
      facetDistribution: z.unknown().optional(),
    }),
  ),
});

/**
 * The recorded stand-in looked for the query anywhere in a text; only for these do both find the same
 * documents.
 */
const isComparable = (query: string) => "docker".startsWith(query);

test.each(recorded.map((entry) => [`${entry.from[0]}: ${JSON.stringify(entry.body)}`, entry] as const))(
  "%s",
  async (_, entry) => {
    const { status, json } = await replay(entry);
    expect(status).toBe(200);
    if (entry.path !== "/multi-search") {
      expect(shapeOf(json)).toEqual(shapeOf(entry.answer));
      return;
    }
    const expected = counted.parse(entry.answer);
    const got = counted.parse(json);
    expect(shapeOf(withHits(json))).toEqual(shapeOf(withHits(entry.answer)));
    expected.results.forEach((result, at) => {
      if (!isComparable(result.query)) return;
      expect(got.results[at]!.hits.length).toBe(result.hitCount);
      expect(got.results[at]!.estimatedTotalHits).toBe(result.estimatedTotalHits);
      expect(got.results[at]!.totalHits).toBe(result.totalHits);
      expect(got.results[at]!.facetDistribution).toEqual(result.facetDistribution);
    });
  },
);

test("2. marks begin at words and keep the text", async () => {
  const body = {
    queries: [
      {
        indexUid: "docs",
        q: "dock",
        attributesToHighlight: ["*"],
        highlightPreTag: "__ais-highlight__",
        highlightPostTag: "__/ais-highlight__",
        limit: 21,
        offset: 0,
      },
    ],
  };
  const { json } = await replay({ from: [], method: "POST", path: "/multi-search", body, answer: {} });
  for (const hit of counted.parse(json).results[0]!.hits) {
    const formatted = z.object({ content: z.string(), id: z.string() }).parse(hit["_formatted"]);
    expect(formatted.content).toContain("use __ais-highlight__dock__/ais-highlight__er build");
    expect(formatted.id).toBe(hit["id"]);
  }
});

function withoutTime(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json), (key, value: unknown) => (key === "processingTimeMs" ? 0 : value));
}

test("3. in process as over HTTP", async () => {
  for (const entry of recorded) {
    if (entry.path !== "/multi-search") continue;
    const { json } = await replay(entry);
    expect(withoutTime(await searchInProcess(store, entry.body))).toEqual(withoutTime(json));
  }
});
