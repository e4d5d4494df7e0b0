/**
 * 1. `buildkitd` sends the end of a step with the first part of a long log: its lines stay whole and in order, and its end comes
 *    after them, once, whatever comes next: another step, the end of the build, or nothing.
 * 2. A short log and its end that arrive together are logged immediately. Steps from the cache that arrive together are logged one
 *    by one.
 * 3. A step that runs again without a line has one end in the log, and the time of both runs.
 * 4. A megabyte of a log, which may be a million lines, is read in parts, and no part is long.
 * 5. Logs, steps, warnings and arguments are stored as far as they fit, whether the parts are many or long.
 */
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { StatusResponseSchema, VertexLogSchema, VertexSchema } from "../gen/buildkit/control_pb.ts";
import {
  MAX_ARGUMENTS,
  MAX_ARGUMENTS_LENGTH,
  MAX_LOG_LINES,
  MAX_STEPS,
  MAX_STEPS_LENGTH,
  MAX_WARNINGS_LENGTH,
} from "../contract/limits.ts";
import { Masker } from "../masking/masker.ts";
import { createLogRoom } from "./log-room.ts";
import { mergeInputs, readInputs } from "./read-inputs.ts";
import { Steps } from "./steps.ts";

const MEBIBYTE = 1024 * 1024;
const platform = "linux/amd64";

const apply = (steps: Steps, ...given: Parameters<Steps["apply"]>) => void [...steps.apply(...given)];

function record() {
  const told: string[] = [];
  const addLine = ({ text }: { text: string }) => void told.push(text);
  const steps = new Steps({ lastDurations: new Map(), masker: new Masker(), clock: () => 0, addLine });
  return { told, steps };
}
const vertex = (digest: string, ends?: number) =>
  create(VertexSchema, {
    digest,
    name: `RUN ${digest}`,
    started: timestampFromMs(1000),
    ...(ends !== undefined && { completed: timestampFromMs(ends) }),
  });
const log = (text: string) =>
  create(VertexLogSchema, { vertex: "a", stream: 1n, msg: new TextEncoder().encode(text) });
const begins = create(StatusResponseSchema, { vertexes: [vertex("a")] });
const line = "x".repeat(1023);
const lines = MEBIBYTE / 1024;

test.each(["another step", "the end", "nothing"])("1. a long log, then %s", (next) => {
  const { told, steps } = record();
  apply(steps, platform, begins);
  apply(
    steps,
    platform,
    create(StatusResponseSchema, {
      vertexes: [vertex("a", 2000), vertex("a", 2000)],
      logs: [log(`${line}\n`.repeat(lines)), log("123")],
    }),
  );
  apply(steps, platform, create(StatusResponseSchema, { logs: [log("456\nla")] }));
  apply(steps, platform, create(StatusResponseSchema, { logs: [log("st")] }));
  expect(steps.all[0]?.state).toBe("running");
  if (next === "another step")
    apply(steps, platform, create(StatusResponseSchema, { vertexes: [vertex("b")] }));
  else if (next === "the end") steps.end("canceled");
  else steps.complete();
  const shown = told.filter((text) => text !== line);
  expect(shown.slice(0, 4)).toEqual(["RUN a", "123456", "last", "DONE 1.0s"]);
  expect(shown.filter((text) => text.startsWith("DONE"))).toHaveLength(1);
  expect(steps.all[0]).toMatchObject({ state: "succeeded", durationMs: 1000, logLines: lines + 2 });
});

test("2. a short log", () => {
  const { told, steps } = record();
  apply(
    steps,
    platform,
    create(StatusResponseSchema, { vertexes: [vertex("a", 1500)], logs: [log("one\ntwo")] }),
  );
  expect(told).toEqual(["RUN a", "one", "two", "DONE 0.5s"]);
});

test("2. from the cache", () => {
  const { told, steps } = record();
  const vertexes = ["a", "b"].map((digest) => ({ ...vertex(digest, 1000), cached: true }));
  apply(steps, platform, create(StatusResponseSchema, { vertexes }));
  expect(told).toEqual(["RUN a", "CACHED", "RUN b", "CACHED"]);
});

test("3. again and again", () => {
  const { told, steps } = record();
  for (const [started, completed] of [
    [1000, 1500],
    [2000, 2500],
  ] as const)
    apply(
      steps,
      platform,
      create(StatusResponseSchema, {
        vertexes: [{ ...vertex("a", completed), started: timestampFromMs(started) }],
      }),
    );
  expect(told).toEqual(["RUN a", "DONE 0.5s"]);
  expect(steps.all[0]?.durationMs).toBe(1000);
  apply(
    steps,
    platform,
    create(StatusResponseSchema, {
      vertexes: [{ ...vertex("a", 4000), started: timestampFromMs(3000) }],
      logs: [log("more")],
    }),
  );
  expect(told.slice(2)).toEqual(["more", "DONE 2.0s"]);
});

test("4. in parts", () => {
  const { told, steps } = record();
  apply(steps, platform, begins);
  let [before, longest] = [told.length, 0];
  const status = create(StatusResponseSchema, { logs: [log("\n".repeat(MEBIBYTE))] });
  for (const _ of steps.apply(platform, status)) {
    longest = Math.max(longest, told.length - before);
    before = told.length;
  }
  expect(told).toHaveLength(1 + MEBIBYTE);
  expect(longest).toBeLessThanOrEqual(MEBIBYTE / 64);
});

test("5. what fits", () => {
  const room = createLogRoom();
  let kept = 0;
  while (room.take(0)) kept += 1;
  expect(kept).toBe(MAX_LOG_LINES);

  const { steps } = record();
  const warnings = Array.from({ length: 150 }, (_, at) => ({
    short: new TextEncoder().encode(`${at} ${"w".repeat(5000)}`),
    detail: [new TextEncoder().encode("d".repeat(5000))],
  }));
  apply(steps, platform, create(StatusResponseSchema, { warnings }));
  const length = JSON.stringify(steps.warnings).length;
  expect(length).toBeGreaterThan(MAX_WARNINGS_LENGTH);
  expect(length).toBeLessThan(MAX_WARNINGS_LENGTH + 10_000);

  const say = (prefix: string, text: string) =>
    readInputs(
      "dockerfile.v0",
      Object.fromEntries(
        Array.from({ length: MAX_ARGUMENTS }, (_, at) => [`${prefix}${prefix}${at}`, text] as const),
      ),
    ).inputs;
  const short = mergeInputs(say("build-arg:", "1"), say("build-arg:", "2"));
  expect(Object.values(short.arguments)).toEqual(Array.from({ length: MAX_ARGUMENTS }, () => "2"));
  for (const prefix of ["build-arg:", "context:"]) {
    const said = mergeInputs(say(prefix, "a".repeat(900)), say(`${prefix}other`, "b".repeat(900)));
    const written = JSON.stringify([said.arguments, said.namedContexts]).length;
    expect(written).toBeGreaterThan(MAX_ARGUMENTS_LENGTH - 2000);
    expect(written).toBeLessThan(MAX_ARGUMENTS_LENGTH + 2000);
  }
});

test("5. steps of long texts", () => {
  const { steps } = record();
  const inputs = Array.from({ length: 100 }, (_, at) => `sha256:${String(at).padStart(64, "0")}`);
  const vertexes = Array.from({ length: MAX_STEPS }, (_, at) => ({
    ...vertex(`sha256:${String(at).padStart(64, "0")}`, 2000),
    name: `RUN ${at} ${"x".repeat(3000)}`,
    error: `exit code: 7 ${"e".repeat(5000)}`,
    inputs,
  }));
  apply(steps, platform, create(StatusResponseSchema, { vertexes }));
  const written = JSON.stringify(steps.all.map(({ name, error, inputs: of }) => [name, error, of])).length;
  expect(steps.all).toHaveLength(MAX_STEPS);
  expect(written).toBeGreaterThan(MAX_STEPS_LENGTH);
  expect(written).toBeLessThan(2 * MAX_STEPS_LENGTH);
  // The first steps are whole; the last ones still say what they are and why they failed.
  expect(steps.all[0]).toMatchObject({ name: vertexes[0]?.name.slice(0, 2048), inputs });
  expect(steps.all.at(-1)?.name).toMatch(/^RUN 4999 x+$/);
  expect(steps.all.at(-1)).toMatchObject({ error: expect.stringMatching(/^exit code: 7 e+$/), exitCode: 7 });
  expect(steps.all.at(-1)?.inputs.length).toBeGreaterThan(0);
  // The key, which identifies a step and its duration, is not cut.
  expect(new Set(steps.all.map(({ key }) => key)).size).toBe(MAX_STEPS);
});
