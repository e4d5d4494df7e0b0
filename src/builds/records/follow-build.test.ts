/**
 * 1. A viewer gets the steps of a large build in several messages, none of them large, each step once.
 * 2. Changes during the read are also sent: after what the reader has, before it, and after the build has ended.
 */
import { expect, test } from "vitest";
import { MAX_STEPS, MAX_STEPS_PER_MESSAGE } from "../contract/limits.ts";
import { openTestBuilds } from "../testing/builds.ts";
import { createChanges } from "../contract/changes.ts";
import type { RecordedStep } from "./steps.ts";
import { writeProgress } from "./write-build.ts";

const totals = { stepsTotal: MAX_STEPS, stepsCached: 0, stepsDone: 0, savedMs: 0, logLines: 0 };

const stepsOf = (state: RecordedStep["state"]) =>
  Array.from({ length: MAX_STEPS }, (_, at): RecordedStep => ({
    id: `sha256:${at}`,
    position: at,
    number: at + 1,
    name: `RUN ${at}`,
    platform: "linux/amd64",
    state,
    cached: false,
    startedAt: 1,
    finishedAt: null,
    durationMs: 0,
    savedMs: 0,
    error: "",
    exitCode: 0,
    logLines: 0,
    inputs: [],
    isInstruction: true,
    key: "",
  }));

test("many steps", async () => {
  await using place = await openTestBuilds("sqlite");
  const { builds, caller, database } = place;
  const { id: projectId } = await place.addProject("web");
  const input = { projectId, save: false, saveTags: [], labels: {}, branch: "", commitSha: "" };
  const { id: buildId } = await builds.create(caller, input);
  const write = (steps: readonly RecordedStep[]) =>
    writeProgress({ database, changes: createChanges() }, buildId, {
      steps,
      totals,
      lines: [],
      warnings: [],
    });
  await write(stepsOf("running"));

  const states = new Map<string, string>();
  const told: string[] = [];
  let sent = 0;
  let messages = 0;
  for await (const { build, steps } of builds.watch(caller, buildId, new AbortController().signal)) {
    expect(steps.length).toBeLessThanOrEqual(MAX_STEPS_PER_MESSAGE);
    if (build) told.push(build.state);
    for (const { id, state } of steps) states.set(id, state);
    sent += steps.length;
    if (++messages !== 2) continue;
    await write(stepsOf("succeeded").slice(50, 350));
    await builds.cancel(caller, buildId);
    await write(stepsOf("failed").slice(0, 1));
  }
  expect(states.size).toBe(MAX_STEPS);
  expect([...states.values()].filter((state) => state === "succeeded")).toHaveLength(300);
  expect([states.get("sha256:0"), states.get("sha256:400")]).toEqual(["failed", "canceled"]);
  // All of them changed after two messages.
  expect(sent).toBe(2 * MAX_STEPS_PER_MESSAGE + MAX_STEPS);
  expect(told).toEqual(["queued", "canceled"]);
});
