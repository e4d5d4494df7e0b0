/**
 * 1. The whole build comes first, then the changes; unchanged steps stay the same objects.
 * 2. A cut stream is requested again: the build from its beginning, the log from after its last line. No line appears
 *    twice, and a message that only reports a silent step is not a line.
 * 3. When the log is complete, the builder's message about the failed step is its last line; a step's name and its result
 *    are not lines, whatever the step wrote.
 * 4. A refused request is not repeated.
 * 5. An ended build is not watched.
 */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Build, Step } from "#api/gen/json-types.ts";
import { BuildFeed } from "./build-feed.ts";

const step = (id: string, parts: Partial<Step> = {}): Step => ({
  id,
  number: "",
  name: `[build 1/2] RUN ${id}`,
  state: "waiting",
  cached: false,
  error: "",
  platform: "linux/amd64",
  inputs: [],
  duration_ms: "0",
  saved_ms: "0",
  exit_code: 0,
  log_lines: "0",
  ...parts,
});

// Only the fields that the feed reads; it passes the rest through.
const build = (parts: Partial<Build>) =>
  ({
    id: "bld_1",
    state: "running",
    platforms: [],
    steps: [],
    created_at: "2026-11-20T14:31:00Z",
    ...parts,
  }) as unknown as Build;

function frames(messages: readonly object[], isWhole: boolean): Uint8Array<ArrayBuffer> {
  const parts = [...messages.map((message) => [0, message] as const), ...(isWhole ? [[2, {}] as const] : [])];
  const bytes = parts.flatMap(([flags, message]) => {
    const text = new TextEncoder().encode(JSON.stringify(message));
    return [flags, 0, 0, text.length >> 8, text.length & 255, ...text];
  });
  return new Uint8Array(bytes);
}

/** The answers to the calls, in order. */
let answers: (() => Response)[];
let asked: unknown[];

const stream = (messages: readonly object[], isWhole: boolean) => () =>
  new Response(frames(messages, isWhole));

beforeEach(() => {
  answers = [];
  asked = [];
  vi.useFakeTimers();
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => setTimeout(run, 16));
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("removeEventListener", () => {});
  vi.stubGlobal("fetch", async (_path: string, init: RequestInit) => {
    const body = init.body as Uint8Array;
    asked.push(JSON.parse(new TextDecoder().decode(body.subarray(5))));
    return answers.shift()?.() ?? new Promise(() => {});
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const line = (sequence: number, text: string) => ({
  sequence: String(sequence),
  step_id: "b",
  stream: "stdout",
  text,
  time: "2026-11-20T14:31:02Z",
});

const textsOf = (feed: BuildFeed) => {
  const { log } = feed.read();
  return Array.from({ length: log.count }, (_, index) => log.line(index)?.text);
};

test("1. what changed", async () => {
  const feed = new BuildFeed({ organization: "acme", build: build({}) });
  answers = [
    stream(
      [
        { build: build({}), steps: [step("a", { state: "running" }), step("b")] },
        { steps: [step("b", { state: "running" })] },
      ],
      false,
    ),
  ];
  const stop = feed.follow();
  await vi.advanceTimersByTimeAsync(100);
  const [first, second] = feed.read().model.steps;
  expect([first?.state, second?.state]).toEqual(["running", "running"]);
  answers = [
    stream([{ build: build({ state: "succeeded" }), steps: [step("a", { state: "succeeded" })] }], true),
  ];
  await vi.advanceTimersByTimeAsync(2_000);
  expect(feed.read().model).toMatchObject({ result: "succeeded", steps: [{ id: "a", state: "worked" }] });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(2);
  stop();
});

test("2. and 3. the log continues after its last line", async () => {
  const failed = build({ state: "failed", steps: [step("b", { state: "failed", error: "exit code: 1" })] });
  const feed = new BuildFeed({ organization: "acme", build: failed });
  const silent = { ...line(2, "still running, 15 s"), stream: "status" };
  answers = [
    stream([line(1, "one"), line(2, "two"), silent], false),
    stream([line(2, "two"), line(3, "three")], true),
  ];
  feed.followLog();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toEqual([
    { build_id: "bld_1", after: "0" },
    { build_id: "bld_1", after: "2" },
  ]);
  expect(textsOf(feed)).toEqual(["one", "two", "three", "exit code: 1"]);
  expect(feed.read().isLogWhole).toBe(true);
});

test("3. names and ends of steps", async () => {
  const failed = build({ state: "failed", steps: [step("b", { state: "failed", error: "exit code: 1" })] });
  const feed = new BuildFeed({ organization: "acme", build: failed });
  const said = (sequence: number, text: string, step_id: string) => ({
    ...line(sequence, text),
    stream: "status",
    step_id,
  });
  const full = "The rest of the log is omitted because the log is too long.";
  answers = [
    stream(
      [
        said(1, "[1/2] COPY . .", "a"),
        said(2, "CACHED", "a"),
        said(3, "[2/2] RUN make", "b"),
        line(4, "DONE 2.0s"),
        said(5, "ERROR: exit code: 1", "b"),
        said(6, full, "b"),
      ],
      true,
    ),
  ];
  feed.followLog();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(textsOf(feed)).toEqual(["DONE 2.0s", full, "exit code: 1"]);
  expect(feed.read().log.countOf("a")).toBe(0);
});

test("4. refused", async () => {
  const feed = new BuildFeed({ organization: "acme", build: build({}) });
  answers = [() => Response.json({ code: "permission_denied", message: "no" }, { status: 403 })];
  feed.followLog();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(1);
  expect(feed.read().logError).toMatchObject({ code: "permission_denied" });
});

test("5. ended", async () => {
  const feed = new BuildFeed({ organization: "acme", build: build({ state: "canceled" }) });
  feed.follow();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual([]);
});
