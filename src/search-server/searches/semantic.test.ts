/**
 * 1. The first search by vector after a write answers as the next one does, whatever it costs to read the vectors.
 * 2. With a distinct attribute, hits, totals and facets have each of its values once: by vector, by words, and by both.
 */
import { describe, expect, test } from "vitest";
import type { Json } from "#search/index.ts";
import { DEFAULT_LIMITS } from "../protocol/limits.ts";
import { storeOf, storeOfVectors } from "../testing/documents.ts";
import { storeVectors } from "../vectors/stored-vectors.ts";
import { searchInProcess } from "./multi-search.ts";

test("1. the first search", async () => {
  const store = storeOfVectors("many", { count: 2000, length: 2 });
  const query = { indexUid: "many", vector: [1, 0], hybrid: { embedder: "hand" }, limit: 3 };
  // A document that is read costs 100.
  const limits = { ...DEFAULT_LIMITS, requestWork: 50_000 };
  const first = await searchInProcess(store, { queries: [query] }, { limits, now: () => 0 });
  expect(first).toMatchObject({ results: [{ hits: [{ id: 0 }, { id: 1 }, { id: 2 }] }] });
  expect(await searchInProcess(store, { queries: [query] }, { limits, now: () => 0 })).toEqual(first);
});

describe("2. a distinct attribute", () => {
  const store = storeOf(
    "shoes",
    [
      shoe({ id: 1, model: "a", name: "red boot" }, [1, 0]),
      shoe({ id: 2, model: "A", name: "blue boot" }, [0.9, 0.1]),
      shoe({ id: 3, model: "b", name: "red clog" }, [0.5, 0.5]),
      shoe({ id: 4, model: "b", name: "blue clog" }, [0, 1]),
      { id: 5, model: "c", name: "green boot" },
    ],
    { filterableAttributes: ["model"] },
  );
  store.replace("shoes", store.require("shoes").bytes, {
    protocol: { embedders: { hand: { source: "openAi" } } },
  });

  test.each([
    ["by vector", "", 1, [1, 3], { a: 1, b: 1 }],
    ["by words", "boot", 0, [1, 5], { a: 1, c: 1 }],
    ["by both", "boot", 0.5, [1, 5, 3], { a: 1, b: 1, c: 1 }],
    // Words find 2 and 4, the vector shows 1 for 2; facets count what the words found.
    ["by both, different ones of a group", "blue", 0.5, [1, 4], { A: 1, b: 1 }],
  ])("%s", async (_, q, semanticRatio, ids, model) => {
    const query = {
      indexUid: "shoes",
      q,
      distinct: "model",
      facets: ["model"],
      hybrid: { embedder: "hand", semanticRatio },
      vector: [1, 0],
      hitsPerPage: 1,
    };
    const pages = [];
    for (let page = 1; page <= ids.length + 1; page++)
      pages.push((await searchInProcess(store, { queries: [{ ...query, page }] })) as { results: object[] });
    expect(pages.map(({ results: [result] }) => result)).toMatchObject(
      [...ids.map((id) => [{ id }]), []].map((hits) => ({
        hits,
        totalHits: ids.length,
        totalPages: ids.length,
        facetDistribution: { model },
      })),
    );
  });
});

function shoe(
  document: { id: number; model: string; name: string },
  vector: number[],
): { [name: string]: Json } {
  const embeddings = [Float32Array.from(vector)];
  return { ...document, _vectors: storeVectors(new Map([["hand", { embeddings, regenerate: false }]])) };
}
