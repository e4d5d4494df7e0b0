/** The path skips steps from the cache, and leaves out steps that no other step waited for. */
import { expect, test } from "vitest";
import { findPath } from "./find-path.ts";
import { makeSteps } from "../testing/explained-builds.ts";

test("the steps that decided when a build ended", () => {
  const steps = makeSteps("", [
    { name: "[a 1/1] RUN a", startedAt: 0, finishedAt: 30 },
    { name: "[b 1/1] RUN b", inputs: [], startedAt: 0, finishedAt: 20 },
    { name: "[c 1/2] RUN c", inputs: ["1", "2"], isCached: true, startedAt: 30, finishedAt: 30 },
    { name: "[c 2/2] RUN d", inputs: ["3"], startedAt: 30, finishedAt: null, state: "running" },
    { name: "[e 1/1] RUN e", inputs: [], startedAt: 1, finishedAt: 39 },
  ]);
  expect(findPath(steps, 40)).toEqual(["1", "4"]);
  expect(findPath([], 0)).toEqual([]);
});
