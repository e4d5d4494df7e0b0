/**
 * 1. A build is named by its title, else by branch and commit, else by its id; foreign texts are one line.
 * 2. Each state has its own wording of times.
 * 3. There are as many cells as steps, in the order cached, worked, failed, running, waiting, whatever the server counts.
 * 4. The command is quoted for a shell, and asks for the values of secrets. Nothing in it commands a terminal, or changes
 *    the direction of the text after it.
 */
import { expect, test } from "vitest";
import type { Build } from "#api/gen/json-types.ts";
import { buildAgainCommand, cellsOf, cutMiddle, describeTime, stateOf, titleOf } from "./build-words.ts";

const SHA = "9f31c7e2b6a04d18c5e7f90a1b2c3d4e5f607182";

const build = (parts: Partial<Build>): Build => ({
  id: "bld_v6n2hk8s4d",
  project_id: "prj_7q4hx2n9ds",
  state: "running",
  steps_total: 0,
  steps_cached: 0,
  steps_done: 0,
  steps: [],
  image: "",
  error: "",
  labels: {},
  organization: "acme",
  project: "web",
  digest: "",
  branch: "",
  commit_sha: "",
  created_by: "",
  platforms: [],
  log_lines: "0",
  saved_ms: "0",
  usual_ms: "0",
  warnings: [],
  attestations: [],
  critical_path: [],
  canceled_by: "",
  save_tags: [],
  waits_for: "",
  context_bytes: "0",
  ...parts,
});

test.each([
  [{ labels: { title: " Round\nthe total " }, branch: "main" }, "Round the total"],
  [{ branch: "main", commit_sha: SHA }, "main at 9f31c7e"],
  [{ commit_sha: "v1.4.0" }, "v1.4.0"],
  [{ labels: { title: "\u202Eevil" } }, "␣evil"],
  [{}, "bld_v6n2hk8s4d"],
])("1. %o is named %s", (parts, title) => expect(titleOf(build(parts))).toBe(title));

test("1. long branches keep both ends", () => {
  const cut = cutMiddle("renovate/major-storybook-monorepo");
  expect(cut).toHaveLength(28);
  expect(cut).toMatch(/^renovate\/major.*…ok-monorepo$|^renovate.*….*monorepo$/);
});

test("2. times", () => {
  const at = new Date(2026, 10, 20, 14, 31, 37);
  const times = {
    created_at: at.toISOString(),
    started_at: at.toISOString(),
    finished_at: new Date(at.getTime() + 24_100).toISOString(),
  };
  const now = at.getTime() + 60_000;
  const told = (parts: Partial<Build>) => describeTime(build(parts), now);
  expect(told({ created_at: times.created_at, state: "queued" })).toBe("queued 14:31");
  expect(told({ started_at: times.started_at })).toBe("started 14:31");
  expect(told({ ...times, state: "succeeded" })).toBe("14:31, took 24.1s");
  expect(told({ ...times, state: "failed" })).toBe("14:31, failed after 24.1s");
  expect(told({ created_at: times.created_at, state: "canceled" })).toBe("14:31, canceled before it started");
  expect(stateOf(build({ state: "dreaming" }))).toBe("queued");
});

test.each([
  [{ state: "succeeded", steps_total: 3, steps_cached: 1, steps_done: 0 }, "cached worked worked"],
  [{ state: "failed", steps_total: 4, steps_cached: 1, steps_done: 3 }, "cached worked failed waiting"],
  [
    { state: "running", steps_total: 5, steps_cached: 1, steps_done: 2 },
    "cached worked running waiting waiting",
  ],
  [{ state: "canceled", steps_total: 2, steps_cached: 0, steps_done: 1 }, "worked waiting"],
  [{ state: "running", steps_total: 2, steps_cached: 9, steps_done: -4 }, "cached cached"],
  [{ state: "queued" }, ""],
])("3. cells of %o", (parts, cells) => expect(cellsOf(build(parts)).join(" ")).toBe(cells));

test("4. the command", () => {
  const inputs = {
    frontend: "dockerfile.v0",
    dockerfile: "docker/it's.Dockerfile",
    target: "runtime",
    arguments: { GREETING: "hello world", TOKEN: "***" },
    context: "local",
    named_contexts: {},
  };
  expect(
    buildAgainCommand(build({ inputs, platforms: ["linux/amd64", "linux/arm64"], image: "a/b:c" })),
  ).toBe(
    String.raw`millrace build --platform linux/amd64,linux/arm64 --target runtime --file 'docker/it'\''s.Dockerfile' --build-arg 'GREETING=hello world' --build-arg TOKEN --save .`,
  );
  expect(buildAgainCommand(build({ save_tags: ["v1"], image: "a/b:v1" }))).toBe(
    "millrace build --save-tag v1 .",
  );
  const odd = { ...inputs, dockerfile: "", target: "\u202Egnp", arguments: { A: "1\n\t2 \u001B[201~" } };
  expect(buildAgainCommand(build({ inputs: odd }))).toBe(
    "millrace build --target '␣gnp' --build-arg 'A=1\n\t2 ␣[201~' .",
  );
});
