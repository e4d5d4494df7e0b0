/**
 * Turns `buildkitd`'s status of a solve into the steps of a build and the lines of its log.
 *
 *   Status ──► vertex    started, completed, cached, error      ──► a step, and lines `[2/5] RUN make`, `CACHED`, `DONE 1.2s`
 *              log       bytes of a step                        ──► lines
 *              status    bytes of a layer that is pulled        ──► a base image that was pulled is not from the cache
 *
 * A vertex is sent again with each change, and with a later start when it runs again.
 */
import type { BuildWarning, LogLine, Step } from "../contract/builds.ts";
import type { StatusResponse, Vertex, VertexLog } from "../gen/buildkit/control_pb.ts";
import { MAX_ERROR_LENGTH, MAX_LINE_LENGTH, MAX_NAME_LENGTH, MAX_STEPS } from "../contract/limits.ts";
import type { Masker } from "../masking/masker.ts";
import { createLineSplitter, type LineSplitter } from "./split-lines.ts";
import { readStepName, stepKey } from "./step-names.ts";
import { createStepRoom } from "./step-room.ts";
import { addWarning, clean, endingOf, isBase, toTime } from "./step-texts.ts";

export interface RecordedStep extends Omit<Step, "number"> {
  position: number;
  /** 0: not begun. */
  number: number;
  isInstruction: boolean;
  key: string;
}

interface Work {
  step: RecordedStep;
  /** Start of the work that was counted last. */
  countedStart: number;
  hasPulled: boolean;
  /** Its last end in the log. */
  said?: string;
  lines: Map<LogLine["stream"], LineSplitter>;
}

type NewLine = Omit<LogLine, "sequence">;

export interface StepsOptions {
  /** Duration of the last run of each of the project's steps, by the step's key. */
  lastDurations: ReadonlyMap<string, number>;
  masker: Masker;
  clock: () => number;
  addLine: (line: NewLine) => void;
}

/** `buildkitd` splits logs larger than 1 MiB: the end of the step comes with the first part. */
const SPLIT_BYTES = 900 * 1024;
/** Bytes of a log that are read at a time. */
const PART_BYTES = 16 * 1024;
const EXIT_CODE = /exit code: (\d{1,3})\b/;
const CANCELED = /context canceled|canceled: /i;

export class Steps {
  readonly #options: StepsOptions;
  readonly #work = new Map<string, Work>();
  readonly #room = createStepRoom();
  #lastNumber = 0;
  #ends: (() => void)[] = [];
  /** Changed since the last write. */
  readonly dirty = new Set<RecordedStep>();
  readonly warnings: BuildWarning[] = [];

  constructor(options: StepsOptions) {
    this.#options = options;
  }

  get all(): RecordedStep[] {
    return [...this.#work.values()].map(({ step }) => step);
  }

  /**
   * Runs in parts, so that the caller can do other work in between: a megabyte may be a million lines.
   * @param platform of the builder that sent the status
   */
  *apply(platform: string, { vertexes, statuses, logs, warnings }: StatusResponse): Generator<void> {
    if (vertexes.length > 0 || statuses.length > 0) this.complete();
    const isContinued = this.isCompleting;
    for (const vertex of vertexes) this.#applyVertex(platform, vertex);
    for (const { vertex, id } of statuses)
      if (id.startsWith("sha256:") || id.startsWith("extracting ")) {
        const work = this.#work.get(`${platform} ${vertex}`);
        if (work) this.#notePull(work);
      }
    for (const log of logs)
      for (let at = 0; at < log.msg.length; at += PART_BYTES) {
        if (at > 0) yield;
        this.#applyLog(platform, { ...log, msg: log.msg.subarray(at, at + PART_BYTES) });
      }
    for (const warning of warnings) addWarning(this.warnings, warning, this.#mask);
    const bytes = logs.reduce((sum, { msg }) => sum + msg.length, 0);
    if (!isContinued && bytes < SPLIT_BYTES) this.complete();
  }

  /** Whether more lines may come of a step that has ended. */
  get isCompleting(): boolean {
    return this.#ends.length > 0;
  }

  /** No more lines come of steps that have ended. */
  complete(): void {
    for (const end of this.#ends.splice(0)) end();
  }

  /** Ends steps that are still running. */
  end(state: "canceled" | "failed"): void {
    this.complete();
    for (const work of this.#work.values()) {
      if (work.step.state === "running") {
        const { startedAt } = work.step;
        const now = this.#options.clock();
        Object.assign(work.step, { state, finishedAt: now });
        work.step.durationMs = Math.max(work.step.durationMs, now - (startedAt ?? now));
        this.dirty.add(work.step);
      }
      this.#endLines(work);
    }
  }

  #applyVertex(platform: string, vertex: Vertex): void {
    const work = this.#find(platform, vertex);
    if (!work) return;
    const { step } = work;
    this.dirty.add(step);
    const started = toTime(vertex.started);
    const completed = toTime(vertex.completed);
    if (started !== null) {
      step.startedAt ??= started;
      if (step.number === 0) this.#begin(step, started);
      if (completed === null) Object.assign(step, { state: "running", finishedAt: null });
    }
    if (vertex.cached && !step.cached) {
      step.cached = true;
      if (step.number === 0) this.#begin(step, completed ?? this.#options.clock());
    }
    if (completed === null || step.finishedAt === completed) return;
    // The same end may come several times. The end of a step that did not run comes directly after its name.
    const end = () => step.finishedAt === completed || this.#complete(work, { vertex, started, completed });
    if (vertex.cached) end();
    else this.#ends.push(end);
  }

  #begin(step: RecordedStep, time: number): void {
    step.number = this.#lastNumber += 1;
    this.#say(step, step.name, time);
  }

  #complete(
    work: Work,
    { vertex, started, completed }: { vertex: Vertex; started: number | null; completed: number },
  ): void {
    const { step } = work;
    this.dirty.add(step);
    if (step.number === 0) this.#begin(step, completed);
    step.finishedAt = completed;
    if (started !== null && started !== work.countedStart) {
      step.durationMs += Math.max(0, completed - started);
      work.countedStart = started;
    }
    step.error = this.#room.text(this.#mask(vertex.error), MAX_ERROR_LENGTH);
    step.exitCode = Number(EXIT_CODE.exec(vertex.error)?.[1] ?? 0);
    if (vertex.error === "") step.state = "succeeded";
    else step.state = CANCELED.test(vertex.error) ? "canceled" : "failed";
    const said = endingOf(step);
    // BuildKit does not mark a base image as cached that it already has.
    if (isBase(step) && step.state === "succeeded") step.cached = !work.hasPulled;
    step.savedMs = step.cached ? (this.#options.lastDurations.get(step.key) ?? 0) : 0;
    this.#endLines(work);
    // Frontends run some steps repeatedly: one line is enough if nothing came between.
    const kind = `${said.split(" ")[0]} ${step.logLines}`;
    if (work.said !== kind) this.#say(step, said, completed);
    work.said = kind;
  }

  /** A base image is looked up first, and pulled when a step needs it. */
  #notePull(work: Work): void {
    work.hasPulled = true;
    if (!isBase(work.step) || !work.step.cached) return;
    Object.assign(work.step, { cached: false, savedMs: 0 });
    this.dirty.add(work.step);
  }

  #applyLog(platform: string, { vertex, stream, msg, timestamp }: VertexLog): void {
    const work = this.#work.get(`${platform} ${vertex}`);
    if (!work) return;
    const name = stream === 2n ? "stderr" : "stdout";
    const splitter =
      work.lines.get(name) ?? createLineSplitter((line) => this.#options.masker.mask(line, MAX_LINE_LENGTH));
    work.lines.set(name, splitter);
    const time = toTime(timestamp) ?? this.#options.clock();
    for (const line of splitter.push(msg)) this.#write(work.step, name, line, time);
  }

  #endLines({ step, lines }: Work): void {
    const now = this.#options.clock();
    for (const [stream, splitter] of lines)
      for (const line of splitter.end()) this.#write(step, stream, line, now);
    lines.clear();
  }

  #write(step: RecordedStep, stream: LogLine["stream"], text: string, time: number): void {
    step.logLines += 1;
    this.dirty.add(step);
    this.#options.addLine({
      step: `#${step.number}`,
      stepId: step.id,
      stream,
      text,
      time,
    });
  }

  #say(step: RecordedStep, text: string, time: number): void {
    this.#options.addLine({ step: `#${step.number}`, stepId: step.id, stream: "status", text, time });
  }

  #find(platform: string, { digest, name, inputs }: Vertex): Work | undefined {
    const known = this.#work.get(`${platform} ${digest}`);
    if (known || this.#work.size >= MAX_STEPS || digest.length > MAX_NAME_LENGTH) return known;
    const shown = this.#mask(name).slice(0, MAX_NAME_LENGTH);
    const read = readStepName(shown);
    const step: RecordedStep = {
      id: clean(digest),
      position: this.#work.size,
      number: 0,
      name: this.#room.text(shown, MAX_NAME_LENGTH),
      platform: read.platform || platform,
      state: "waiting",
      cached: false,
      startedAt: null,
      finishedAt: null,
      durationMs: 0,
      savedMs: 0,
      error: "",
      exitCode: 0,
      logLines: 0,
      inputs: this.#room.inputs(inputs.map(clean)),
      isInstruction: read.isInstruction,
      key: stepKey(read.platform || platform, shown),
    };
    const work: Work = { step, countedStart: -1, hasPulled: false, lines: new Map() };
    this.#work.set(`${platform} ${digest}`, work);
    return work;
  }

  readonly #mask = (text: string): string => this.#options.masker.mask(clean(text));
}
