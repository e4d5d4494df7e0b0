/**
 * Several runs of buildx as one progress: each prints JSON, and steps that several targets share are shown once.
 *
 *   {"vertexes":[{"digest":"sha256:…","name":"[2/5] RUN make","started":…}]}   →   #4 [web 2/5] RUN make
 */
import { isFields } from "../registry/docker-config.ts";
import { cleanText } from "../text.ts";

type Fields = { [name: string]: unknown };

export interface ProgressStep {
  number: number;
  name: string;
  state: "named" | "started" | "ended";
  startedMs: number;
  /** Output after the last line break. */
  rest: string;
}

export type StepEnd = { kind: "done" | "cached" | "canceled" } | { kind: "failed"; error: string };

/** Receives clean texts of one line. */
export interface ProgressView {
  started: (step: ProgressStep) => void;
  log: (step: ProgressStep, line: string, seconds: number) => void;
  /** A step's own progress: `transferring context: 3.1 MB`. */
  status: (step: ProgressStep, text: string, isDone: boolean) => void;
  ended: (step: ProgressStep, end: StepEnd, seconds: number) => void;
  /** A line that belongs to no step. */
  note: (line: string) => void;
  /** How many steps are known. */
  count: (steps: number) => void;
}

/** Takes a line of standard error from the target's run. */
export type TakeLine = (target: string, line: string) => void;

const MAX_REST = 64 * 1024;

/** For programs: unchanged, as buildx prints it. */
export const passProgress =
  (print: (text: string) => void): TakeLine =>
  (_, line) =>
    line.trim() === "" ? undefined : print(`${line}\n`);

export function mergeProgress(view: ProgressView): TakeLine {
  const steps = new Map<string, ProgressStep>();
  const byDigest = new Map<string, ProgressStep>();
  const stepOf = (fields: Fields): ProgressStep | undefined => {
    const step = byDigest.get(textOf(fields["vertex"]));
    return step?.state === "started" ? step : undefined;
  };
  const takeVertex = (target: string, vertex: Fields): void => {
    const digest = textOf(vertex["digest"]);
    const name = nameFor(target, textOf(vertex["name"]));
    let step = byDigest.get(digest) ?? steps.get(name);
    if (!step) {
      step = { number: steps.size + 1, name, state: "named", startedMs: 0, rest: "" };
      steps.set(name, step);
      view.count(steps.size);
    }
    byDigest.set(digest, step);
    showVertex(step, vertex, view);
  };
  return (target, line) => {
    const status = parseStatus(line);
    if (!status) {
      const text = cleanText(line).trimEnd();
      if (text !== "") view.note(`${cleanText(target)}: ${text}`);
      return;
    }
    for (const vertex of listOf(status["vertexes"])) takeVertex(target, vertex);
    for (const each of listOf(status["statuses"])) {
      const step = stepOf(each);
      if (step) view.status(step, formatStatus(each), typeof each["completed"] === "string");
    }
    for (const log of listOf(status["logs"])) {
      const step = stepOf(log);
      if (step) showLog(step, log, view);
    }
  };
}

/** A target that is built alone has no name in its steps. */
function nameFor(target: string, name: string): string {
  const clean = cleanText(name);
  const [, inside = "", rest = ""] = /^\[([^\]]*)\](.*)$/.exec(clean) ?? [];
  if (inside === "") return `[${cleanText(target)}] ${clean}`;
  // With several targets, `[linux/amd64 base 2/3]` and `[base internal]` already have the name.
  const words = inside.split(" ");
  return words.includes(target) ? clean : `[${cleanText(target)} ${inside}]${rest}`;
}

function showVertex(step: ProgressStep, vertex: Fields, view: ProgressView): void {
  const { started, completed, cached } = vertex;
  if (step.state === "named" && typeof started === "string") {
    step.state = "started";
    step.startedMs = Date.parse(started);
    view.started(step);
  }
  if (step.state !== "started" || typeof completed !== "string") return;
  const seconds = Math.max(0, Date.parse(completed) - step.startedMs) / 1000;
  if (step.rest !== "") view.log(step, cleanLine(step.rest), seconds);
  step.state = "ended";
  const error = textOf(vertex["error"]);
  if (error === "") view.ended(step, { kind: cached === true ? "cached" : "done" }, seconds);
  else if (/context canceled|Canceled/.test(error)) view.ended(step, { kind: "canceled" }, seconds);
  else view.ended(step, { kind: "failed", error: cleanText(error) }, seconds);
}

function showLog(step: ProgressStep, { data, timestamp }: Fields, view: ProgressView): void {
  const text = step.rest + Buffer.from(textOf(data), "base64").toString("utf8");
  const lines = text.split("\n");
  step.rest = (lines.pop() ?? "").slice(-MAX_REST);
  const seconds = Math.max(0, Date.parse(textOf(timestamp)) - step.startedMs) / 1000;
  for (const line of lines) view.log(step, cleanLine(line), seconds);
}

/** If a line was overwritten, its last state counts. */
const cleanLine = (line: string): string => cleanText(line.replace(/\r$/, "").replace(/^.*\r(?=.)/, ""));

/** `transferring context:` with 3145728 → `transferring context: 3.1 MB` */
function formatStatus({ id, name, current, total }: Fields): string {
  const text = cleanText(textOf(name) || textOf(id));
  if (typeof current !== "number" || current <= 0) return text;
  return `${text} ${formatBytes(current)}${typeof total === "number" && total > 0 ? ` of ${formatBytes(total)}` : ""}`;
}

function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${Number((bytes / 1000 ** power).toFixed(1))} ${units[power]}`;
}

function parseStatus(line: string): Fields | undefined {
  if (!line.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
