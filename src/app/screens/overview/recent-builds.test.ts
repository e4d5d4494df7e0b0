/**
 * 1. Only builds of the range count; the median is of those that succeeded; a hundred of a hundred may be part of more.
 * 2. A branch whose newest build failed needs a look; a fixed branch, or one canceled since, is judged by its ended builds.
 */
import { expect, test } from "vitest";
import type { Build } from "#api/gen/json-types.ts";
import { findFailing, sumBuilds } from "./recent-builds.ts";

const NOON = Date.parse("2026-11-20T12:00:00Z");

// Only the fields that are counted.
const build = (state: string, seconds: number, parts: Partial<Build> = {}) =>
  ({
    state,
    project_id: "prj_web",
    branch: "main",
    created_at: new Date(NOON).toISOString(),
    started_at: new Date(NOON).toISOString(),
    finished_at: new Date(NOON + seconds * 1000).toISOString(),
    saved_ms: "1500",
    ...parts,
  }) as Build;

test("1. sums", () => {
  const before = { created_at: "2026-11-19T23:59:59Z" };
  const builds = [
    build("succeeded", 10),
    build("succeeded", 30),
    build("succeeded", 20),
    build("failed", 90),
    build("canceled", 1),
    build("succeeded", 500, before),
  ];
  expect(sumBuilds(builds, Date.parse("2026-11-20T00:00:00Z"))).toEqual({
    builds: 5,
    isPart: false,
    succeeded: 3,
    failed: 1,
    canceled: 1,
    savedMs: 7_500,
    medianMs: 20_000,
  });
  expect(sumBuilds([], 0)).toMatchObject({ builds: 0, medianMs: null });
  expect(
    sumBuilds(
      Array.from({ length: 100 }, () => build("failed", 1)),
      0,
    ).isPart,
  ).toBe(true);
});

test("2. failing", () => {
  const on = (branch: string, ...states: string[]) => states.map((state) => build(state, 1, { branch }));
  const failing = findFailing([
    ...on("main", "succeeded", "failed"),
    ...on("store-map", "running", "canceled", "failed", "succeeded"),
    ...on("ledger", "failed", "failed"),
  ]);
  expect(failing.map(({ branch }) => branch)).toEqual(["store-map", "ledger"]);
});
