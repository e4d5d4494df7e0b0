/**
 * 1. The first search by vector after a write answers as the next one does, whatever it costs to read the vectors.
 */
import { expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../protocol/limits.ts";
import { storeOfVectors } from "../testing/documents.ts";
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
