/**
 * 1. The search that reads the vectors into memory does no more work than the next one.
 */
import { expect, test } from "vitest";
import { createWork, type OpenedIndex, runSteps, type Work } from "#search/index.ts";
import { storeOfVectors } from "../testing/documents.ts";
import { nearestSteps } from "./nearest.ts";

function ask(index: OpenedIndex, vector: number[], work: Work = createWork()) {
  return nearestSteps(index, { name: "hand", embedder: { source: "openAi" }, vector, filter: null, work });
}

test("1. the first search", () => {
  const { index } = storeOfVectors("many", { count: 2000, length: 2 }).require("many");
  const [first, second] = [createWork(), createWork()];
  const found = runSteps(ask(index, [1, 0], first));
  expect(found.map(({ document }) => document)).toEqual(Array.from({ length: 2000 }, (_, id) => id));
  expect(runSteps(ask(index, [1, 0], second))).toEqual(found);
  expect(first.done).toBe(second.done);
});
