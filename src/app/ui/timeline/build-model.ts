/**
 * A build in the form of its page, made from the builder's messages while it works.
 *
 * The contract for callers: a `BuildStatus` has the same fields as BuildKit's `SolveStatus`, with these differences.
 * - Times are milliseconds since 1970, by the server's clock.
 * - The output of a step is text, not bytes: decoded, and without the values of secrets. It may be cut anywhere.
 * - `statuses` are needed only for the sizes of transfers; others may be left out.
 * A status may be sent again, or repeat known facts: a step's last message counts. A step that is sent with `started` and
 * without `completed` runs again, as the builder's own steps do. Order only matters within the log of a step.
 */
import { parseStepName, type StepName } from "#platform/text/parse-step-name.ts";
import { showControls } from "../log/ansi.ts";
import type { LogLines } from "../log/log-lines.ts";

export interface Vertex {
  digest: string;
  name: string;
  /** Digests of the steps that it depends on. */
  inputs?: readonly string[];
  started?: number;
  completed?: number;
  cached?: boolean;
  /** Why it failed, in the builder's words. */
  error?: string;
}

export interface VertexStatus {
  vertex: string;
  id: string;
  /** Transferred bytes. */
  current: number;
}

export interface VertexLog {
  vertex: string;
  text: string;
  timestamp: number;
}

export interface BuildStatus {
  vertexes?: readonly Vertex[];
  statuses?: readonly VertexStatus[];
  logs?: readonly VertexLog[];
}

export type StepState = "waiting" | "running" | "cached" | "worked" | "failed" | "canceled";

export interface Step extends StepName {
  /** The step's digest. */
  id: string;
  /** From 1, in the order in which the builder named them: `#12`. */
  number: number;
  /** The builder's text. */
  title: string;
  inputs: readonly string[];
  state: StepState;
  /** Milliseconds since 1970; null before it starts. */
  start: number | null;
  end: number | null;
  /** Milliseconds, without the pauses of a step that ran more than once. */
  worked: number;
  /** For a failed step, when a process ended with one. */
  exitCode: number | null;
  error: string;
  /** Transferred bytes. */
  transferred: number;
}

export type BuildResult = "running" | "succeeded" | "failed" | "canceled";

export interface Build {
  /** Milliseconds since 1970. */
  startedAt: number;
  endedAt: number | null;
  result: BuildResult;
  /** Platform of steps whose name has none. */
  platform: string;
  steps: readonly Step[];
}

export const MAX_STEPS = 2000;
const MAX_INPUTS = 200;
const MAX_NAME = 2000;
const MAX_ERROR = 4000;

export const newBuild = (startedAt: number, platform = "linux/amd64"): Build => ({
  startedAt,
  endedAt: null,
  result: "running",
  platform,
  steps: [],
});

/** Steps that a status does not touch stay the same objects. Lines go into `log`, if given. */
export function foldStatus(build: Build, status: BuildStatus, log?: LogLines): Build {
  // A step's output comes before the error that ended it.
  log?.append(
    (status.logs ?? []).map(({ vertex, text, timestamp }) => ({ stepId: vertex, text, at: timestamp })),
  );
  const steps = new Map(build.steps.map((step) => [step.id, step]));
  for (const vertex of status.vertexes ?? []) {
    const known = steps.get(vertex.digest);
    if (!known && steps.size >= MAX_STEPS) continue;
    const step = foldVertex(known ?? newStep(vertex, steps.size + 1), vertex);
    steps.set(step.id, step);
    if (step.state === "failed" && known?.state !== "failed" && log) {
      log.markFailed(step.id);
      log.appendError(step.id, step.error, step.end ?? build.startedAt);
    }
  }
  for (const { vertex, current } of status.statuses ?? []) {
    const step = steps.get(vertex);
    if (step && current > step.transferred) steps.set(vertex, { ...step, transferred: current });
  }
  return { ...build, steps: [...steps.values()] };
}

/** Running steps have been stopped; waiting ones have not run. */
export function endBuild(build: Build, result: Exclude<BuildResult, "running">, endedAt: number): Build {
  const steps = build.steps.map((step): Step => {
    if (step.state !== "running") return step;
    return { ...step, state: "canceled", end: endedAt, worked: step.worked + lasted(step.start, endedAt) };
  });
  return { ...build, result, endedAt, steps };
}

function newStep(vertex: Vertex, number: number): Step {
  // Names are texts from other people's files.
  const title = showControls(vertex.name.slice(0, MAX_NAME).replaceAll(/\s+/g, " ").trim());
  return {
    ...parseStepName(title),
    id: vertex.digest,
    number,
    title,
    inputs: [],
    state: "waiting",
    start: null,
    end: null,
    worked: 0,
    exitCode: null,
    error: "",
    transferred: 0,
  };
}

function foldVertex(step: Step, { inputs, started, completed, cached, error }: Vertex): Step {
  const next = { ...step, inputs: inputs?.slice(0, MAX_INPUTS) ?? step.inputs };
  if (started === undefined && !cached && completed === undefined) return next;
  const begun = started ?? completed ?? step.start;
  // Repeated, with nothing new.
  if (completed !== undefined && completed === step.end && step.state !== "running") return next;
  next.start = step.start === null ? (begun ?? null) : Math.min(step.start, begun ?? step.start);
  if (completed === undefined) return { ...next, end: null, state: "running" };
  next.end = Math.max(completed, next.start ?? completed);
  next.worked = step.worked + lasted(begun, completed);
  if (error)
    return { ...next, state: "failed", error: error.slice(0, MAX_ERROR), exitCode: exitCodeOf(error) };
  return { ...next, state: cached || (step.state === "cached" && next.worked === 0) ? "cached" : "worked" };
}

const lasted = (start: number | null | undefined, end: number) => Math.max(end - (start ?? end), 0);

function exitCodeOf(error: string): number | null {
  const code = /exit code: (\d{1,3})\b/.exec(error.slice(0, MAX_ERROR))?.[1];
  return code === undefined ? null : Number(code);
}

/** Milliseconds since the build's start. */
export const sinceStart = (build: Build, at: number) => Math.max(at - build.startedAt, 0);

/** "deps 2/2", "export", "2/3". */
export const labelOf = ({ stage, place }: Step) =>
  [stage, place && `${place.at}/${place.of}`].filter(Boolean).join(" ");
