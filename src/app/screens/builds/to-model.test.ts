/**
 * 1. States, times and numbers in the timeline's form; a step that is sent again unchanged stays the same object.
 * 2. Waiting steps have numbers after all others, each its own.
 * 3. Steps of two platforms with the same digest are separate.
 * 4. A hostile name is one line of text, and no error is longer than the page shows.
 */
import { expect, test } from "vitest";
import type { Build, Step } from "#api/gen/json-types.ts";
import { toModel } from "./to-model.ts";

// Only the fields that are read.
const build = {
  state: "running",
  created_at: "2026-11-20T14:31:00Z",
  started_at: "2026-11-20T14:31:10Z",
  platforms: ["linux/arm64"],
} as unknown as Build;

const step = (parts: Partial<Step>): Step => ({
  id: "sha256:1",
  number: "#1",
  name: "[build 2/2] RUN make",
  state: "succeeded",
  cached: false,
  error: "",
  platform: "linux/arm64",
  inputs: [],
  duration_ms: "1500",
  saved_ms: "0",
  exit_code: 0,
  log_lines: "0",
  started_at: "2026-11-20T14:31:11Z",
  finished_at: "2026-11-20T14:31:13Z",
  ...parts,
});

test("1. as the timeline knows them", () => {
  const told = step({});
  const model = toModel(build, [
    told,
    step({ id: "b", cached: true }),
    step({ id: "c", state: "failed", exit_code: 2 }),
  ]);
  expect(model).toMatchObject({ result: "running", platform: "linux/arm64", endedAt: null });
  expect(model.startedAt).toBe(Date.parse("2026-11-20T14:31:10Z"));
  expect(model.steps.map(({ state, exitCode }) => [state, exitCode])).toEqual([
    ["worked", null],
    ["cached", null],
    ["failed", 2],
  ]);
  expect(model.steps[0]).toMatchObject({ stage: "build", keyword: "RUN", rest: "make", worked: 1500 });
  expect(toModel(build, [told]).steps[0]).toBe(model.steps[0]);
});

test("2. steps that wait", () => {
  const waiting = ["", "#0"].map((number, index) => step({ id: `w${index}`, number, state: "waiting" }));
  const numbers = toModel(build, [step({}), ...waiting]).steps.map(({ number }) => number);
  expect(numbers[0]).toBe(1);
  expect(Math.min(...numbers.slice(1))).toBeGreaterThan(99_999);
  expect(new Set(numbers).size).toBe(3);
});

test("3. one digest on two platforms", () => {
  const { steps } = toModel(build, [step({}), step({ platform: "linux/amd64" })]);
  expect(new Set(steps.map(({ id }) => id)).size).toBe(2);
});

test("4. names of bad will", () => {
  const [shown] = toModel(build, [
    step({ name: "[a 1/1] RUN x\n\u202Ey".padEnd(9_000, "z"), error: "e".repeat(9_000) }),
  ]).steps;
  expect(shown?.title).not.toMatch(/[\n\u202E]/);
  expect(shown?.title.length).toBeLessThanOrEqual(2_000);
  expect(shown?.error.length).toBeLessThanOrEqual(4_000);
});
