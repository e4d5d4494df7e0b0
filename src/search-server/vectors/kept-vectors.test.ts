/**
 * 1. The search that reads the vectors into memory does no more work than the next one.
 * 2. Searches at the same time read them once together; one whose time is up leaves the rest to the others.
 * 3. Whatever length a sender chooses, nothing is read again.
 * 4. Memory is bounded: of more indexes than are kept, the one not used for longest is read again.
 */
import { expect, test, vi } from "vitest";
import { createWork, type OpenedIndex, runSteps, type Work } from "#search/index.ts";
import { MAX_KEPT_VECTOR_SETS } from "../protocol/limits.ts";
import { storeOfVectors } from "../testing/documents.ts";
import { nearestSteps } from "./nearest.ts";

function ask(index: OpenedIndex, vector: number[], work: Work = createWork()) {
  return nearestSteps(index, { name: "hand", embedder: { source: "openAi" }, vector, filter: null, work });
}

function indexOf(count: number, length: number) {
  const { index } = storeOfVectors("some", { count, length }).require("some");
  return { index, reads: vi.spyOn(index, "readDocument") };
}

const unit = (length: number) => Array.from({ length }, (_, at) => (at === 0 ? 1 : 0));

test("1. the first search", () => {
  const { index } = indexOf(2000, 2);
  const [first, second] = [createWork(), createWork()];
  const found = runSteps(ask(index, [1, 0], first));
  expect(found.map(({ document }) => document)).toEqual(Array.from({ length: 2000 }, (_, id) => id));
  expect(runSteps(ask(index, [1, 0], second))).toEqual(found);
  expect(first.done).toBe(second.done);
});

test("2. searches at the same time", () => {
  const { index, reads } = indexOf(400, 512);
  const late = ask(index, unit(512), createWork({ isLate: () => true }));
  expect(() => runSteps(late)).toThrow("still being read");
  const before = reads.mock.calls.length;
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(400);

  const running = new Map(Array.from({ length: 16 }, (_, at) => [at, ask(index, unit(512))]));
  const found = new Set<string>();
  while (running.size > 0) {
    for (const [at, steps] of running) {
      const step = steps.next();
      if (!step.done) continue;
      running.delete(at);
      found.add(step.value.map(({ document }) => document).join());
    }
  }
  expect([...found]).toEqual([Array.from({ length: 400 }, (_, id) => id).join()]);
  expect(reads).toHaveBeenCalledTimes(400);
});

test("3. any length", () => {
  const { index, reads } = indexOf(50, 3);
  for (let length = 1; length <= 100; length++)
    expect(runSteps(ask(index, unit(length)))).toHaveLength(length === 3 ? 50 : 0);
  expect(reads).toHaveBeenCalledTimes(50);
});

test("4. many indexes", () => {
  const all = Array.from({ length: MAX_KEPT_VECTOR_SETS + 1 }, () => indexOf(1, 2));
  for (const { index } of all) runSteps(ask(index, [1]));
  runSteps(ask(all.at(-1)!.index, [1]));
  expect(all.at(-1)!.reads).toHaveBeenCalledTimes(1);
  runSteps(ask(all[0]!.index, [1]));
  expect(all[0]!.reads).toHaveBeenCalledTimes(2);
});
