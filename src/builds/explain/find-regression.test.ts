/**
 * 1. A step that became slower is found, with the percentage, the step and the first commit that was as slow.
 * 2. Noise is not a regression: with normal, skewed and heavy-tailed times, fewer than one build in 500 is blamed.
 * 3. Nor is a build that found less in the cache, a single slow run, or too few builds.
 * 4. The usual time is the median of the last 20 builds; there is none for fewer than three.
 */
import { expect, test } from "vitest";
import { findRegression, type TimedBuild, usualMs } from "./find-regression.ts";

/** Numbers between 0 and 1, the same in each run. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const timed = (commitSha: string, times: Record<string, number>): TimedBuild => {
  const steps = new Map(Object.entries(times));
  return { commitSha, steps, durationMs: [...steps.values()].reduce((sum, ms) => sum + ms, 5000) };
};

const steady = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    timed(`ok${at}`, { install: 20_000 + (at % 5) * 200, compile: 40_000 + (at % 3) * 300 }),
  );

test("what became slower (1)", () => {
  const slow = (commit: string) => timed(commit, { install: 20_000, compile: 68_000 });
  expect(findRegression(slow("now"), [slow("before"), ...steady(19)])).toEqual({
    percent: 42,
    comparedBuilds: 20,
    step: "compile",
    sinceCommit: "before",
  });
  const since = [slow("third"), slow("second"), slow("first"), ...steady(17)];
  expect(findRegression(slow("now"), since)?.sinceCommit).toBe("first");
});

test.each(["normal", "skewed", "heavy-tailed"] as const)("noise: %s (2)", (kind) => {
  const random = makeRandom(7);
  const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
  const vary = {
    normal: () => Math.max(0.2, 1 + 0.25 * normal()),
    skewed: () => Math.exp(0.3 * normal()),
    "heavy-tailed": () => 1 + 0.1 * (random() + 1e-6) ** (-1 / 2.5),
  }[kind];
  const builds = Array.from({ length: 5000 }, (_, at) =>
    timed(`${at}`, { install: 20_000 * vary(), compile: 40_000 * vary(), test: 10_000 * vary() }),
  );
  const blamed = builds.filter((build, at) => findRegression(build, builds.slice(at + 1, at + 21)));
  expect(blamed.length).toBeLessThan(builds.length / 500);
});

test("what is not a regression (3)", () => {
  const cached = Array.from({ length: 14 }, (_, at) => timed(`cached${at}`, { compile: 1000 }));
  const mixed = [...cached, ...steady(6)];
  expect(findRegression(timed("miss", { install: 20_000, compile: 1000 }), mixed)).toBeNull();
  const [usual] = steady(1);
  expect(usual && findRegression(usual, steady(20))).toBeNull();
  expect(findRegression(timed("once", { install: 20_000, compile: 90_000 }), steady(20))).toBeNull();
  const again = (build: TimedBuild, before: TimedBuild[]) => findRegression(build, [build, ...before]);
  expect(again(timed("few", { install: 90_000, compile: 40_000 }), steady(6))).toBeNull();
  expect(again(timed("enough", { install: 90_000, compile: 40_000 }), steady(7))?.step).toBe("install");
  // 18 % of the build, though 60 % of the step.
  expect(again(timed("small", { install: 32_000, compile: 40_000 }), steady(19))).toBeNull();
  const quick = steady(19).map(() => timed("", { compile: 1500 }));
  expect(again(timed("short", { compile: 4000 }), quick)).toBeNull();
});

test("usual (4)", () => {
  expect(usualMs([1, 2])).toBeNull();
  expect(usualMs([5, 1, 3])).toBe(3);
  expect(
    usualMs([...Array.from({ length: 20 }, (_, at) => at), ...Array.from({ length: 99 }, () => 1e6)]),
  ).toBe(10);
});
