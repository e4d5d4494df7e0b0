/**
 * Records `buildkitd`'s status of one build's solves, every 100 ms: steps, log, counts. A `buildkitd` that sends more than can be
 * written waits.
 */
import { Code, ConnectError } from "@connectrpc/connect";
import { PARSED } from "#platform/fair/limits.ts";
import { chargeBytes, nextTurnOf, workGate } from "#platform/fair/work-gate.ts";
import type { Log } from "#platform/log/log.ts";
import type { BuildWarning, LogLine } from "../contract/builds.ts";
import { openBuildKit, readRecord } from "../buildkit/client.ts";
import type { BuildHistoryRecord, StatusResponse } from "../gen/buildkit/control_pb.ts";
import { FLUSH_MS, MAX_PENDING_LINES } from "../contract/limits.ts";
import type { Masker } from "../masking/masker.ts";
import { createLogRoom } from "./log-room.ts";
import { type RecordedStep, Steps } from "./steps.ts";

/** Changes since the last write. */
export interface Progress {
  steps: readonly RecordedStep[];
  /** For the whole build. */
  totals: { stepsTotal: number; stepsCached: number; stepsDone: number; savedMs: number; logLines: number };
  lines: readonly LogLine[];
  warnings: readonly BuildWarning[];
}

export interface RecorderOptions {
  buildId: string;
  /** The organization that the reading is charged to. */
  organizationId: string;
  masker: Masker;
  lastDurations: ReadonlyMap<string, number>;
  clock: () => number;
  log: Log;
  write: (progress: Progress) => Promise<void>;
}

export interface Solve {
  platform: string;
  ref: string;
  socket: string;
  /** Whether `buildkitd` keeps a record of it. */
  isKept: boolean;
}

export interface Solved {
  platform: string;
  ref: string;
  /** Null: `buildkitd` has no record. */
  record: BuildHistoryRecord | null;
}

/** A solve begins a moment after the client's request was let through. */
const ATTEMPTS = 24;
/** A client is waiting, so the first pauses are short: 10, 20, 40 up to 250 ms, five seconds in all. */
const pause = (attempt: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, Math.min(250, 5 * 2 ** attempt)));
/** After this time, a step that has ended sends no more output. */
const IDLE_MS = 1000;
/** Approximate size of a step, or of a layer that is pulled. */
const ENTRY_BYTES = 200;
const LOG_IS_FULL = "The rest of the log is omitted because the log is too long.";

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #steps: Steps;
  readonly #ended = new AbortController();
  readonly #following = new Set<Promise<void>>();
  readonly #solved: Solved[] = [];
  #lines: LogLine[] = [];
  #logLines = 0;
  readonly #room = createLogRoom();
  #isFull = false;
  #timer: NodeJS.Timeout | null = null;
  #idle: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #taking: Promise<void> = Promise.resolve();
  #isChanged = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
    const { masker, lastDurations, clock } = options;
    this.#steps = new Steps({ masker, lastDurations, clock, addLine: (line) => this.#addLine(line) });
  }

  get steps(): RecordedStep[] {
    return this.#steps.all;
  }

  /** `buildkitd`'s records of the solves that have ended. */
  get solved(): readonly Solved[] {
    return this.#solved;
  }

  /** Adds a warning of this service, once. */
  warn(message: string): void {
    const { warnings } = this.#steps;
    if (warnings.some((warning) => warning.message === message)) return;
    warnings.push({ message, detail: "", url: "", file: "", line: 0 });
    this.#isChanged = true;
    this.#timer ??= setTimeout(() => void this.#flush(), FLUSH_MS).unref();
  }

  /** Follows a solve from start to end. */
  follow(solve: Solve): void {
    const following = this.#follow(solve).catch((error: unknown) => {
      if (!this.#ended.signal.aborted)
        this.#options.log.warn("A build could not be followed to its end.", {
          build: this.#options.buildId,
          error,
        });
    });
    this.#following.add(following);
    void following.finally(() => this.#following.delete(following));
  }

  /** @returns `buildkitd`'s records of the solves, once all have ended or the time is over */
  async settle(ms: number): Promise<readonly Solved[]> {
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    await Promise.race([Promise.all(this.#following), over]);
    clearTimeout(timer);
    return this.#solved;
  }

  /** Stops following, and writes the rest. @param state of steps that are still running */
  async end(state: "canceled" | "failed"): Promise<void> {
    this.#ended.abort();
    await Promise.all(this.#following);
    clearTimeout(this.#idle);
    this.#steps.end(state);
    this.#isChanged = true;
    await this.#flush();
    // Retries a failed write once.
    if (this.#isChanged) await this.#flush();
  }

  async #follow({ platform, ref, socket, isKept }: Solve): Promise<void> {
    const client = openBuildKit(socket);
    const { signal } = this.#ended;
    for (let attempt = 1; ; attempt += 1) {
      try {
        for await (const status of client.status({ ref }, { signal })) await this.#take(platform, status);
        break;
      } catch (error) {
        // Not begun yet, or ended between two attempts: then its history exists.
        if (attempt >= ATTEMPTS || signal.aborted || !isMissing(error)) throw error;
        await pause(attempt);
      }
    }
    const record = isKept ? await readWritten(() => readRecord(client, ref, signal)) : null;
    this.#solved.push({ platform, ref, record });
  }

  /** One by one, even across platforms: a step's output belongs before its end. */
  #take(platform: string, status: StatusResponse): Promise<void> {
    const taking = this.#taking.then(() => this.#apply(platform, status));
    this.#taking = taking.catch(() => {});
    return taking;
  }

  async #apply(platform: string, status: StatusResponse): Promise<void> {
    clearTimeout(this.#idle);
    const { organizationId } = this.#options;
    chargeBytes(organizationId, PARSED * bytesOf(status));
    for (const _ of this.#steps.apply(platform, status)) {
      this.#isChanged = true;
      await (this.#lines.length >= MAX_PENDING_LINES ? this.#flush() : nextTurnOf(organizationId));
    }
    this.#isChanged = true;
    this.#timer ??= setTimeout(() => void this.#flush(), FLUSH_MS).unref();
    if (this.#lines.length >= MAX_PENDING_LINES) await this.#flush();
    const turn = workGate.pace(organizationId, 0);
    if (turn) await turn;
    if (this.#steps.isCompleting) this.#idle = setTimeout(() => this.#complete(), IDLE_MS).unref();
  }

  /** The last part of a long log may be the last message for a while. */
  #complete(): void {
    this.#steps.complete();
    this.#isChanged = true;
    void this.#flush();
  }

  #addLine(line: Omit<LogLine, "sequence">): void {
    if (this.#isFull) return;
    this.#isFull = !this.#room.take(line.text.length);
    this.#logLines += 1;
    const kept = this.#isFull ? { ...line, stream: "status" as const, text: LOG_IS_FULL } : line;
    this.#lines.push({ ...kept, sequence: this.#logLines });
  }

  #flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    if (!this.#isChanged) return;
    this.#isChanged = false;
    const lines = this.#lines;
    this.#lines = [];
    const steps = [...this.#steps.dirty];
    this.#steps.dirty.clear();
    try {
      await this.#options.write({ steps, totals: this.#totals(), lines, warnings: this.#steps.warnings });
    } catch (error) {
      // Kept for the next write: the database is unavailable.
      this.#lines = [...lines, ...this.#lines];
      for (const step of steps) this.#steps.dirty.add(step);
      this.#isChanged = true;
      this.#options.log.warn("Could not write a build's progress. Retrying.", {
        build: this.#options.buildId,
        error,
      });
      if (this.#lines.length >= MAX_PENDING_LINES) await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  #totals(): Progress["totals"] {
    const instructions = this.#steps.all.filter(({ isInstruction }) => isInstruction);
    return {
      stepsTotal: instructions.length,
      stepsCached: instructions.filter(({ cached }) => cached).length,
      stepsDone: instructions.filter(({ finishedAt }) => finishedAt !== null).length,
      savedMs: this.#steps.all.reduce((sum, { savedMs }) => sum + savedMs, 0),
      logLines: this.#logLines,
    };
  }
}

const bytesOf = ({ logs, vertexes, statuses }: StatusResponse): number =>
  logs.reduce((sum, { msg }) => sum + msg.length, ENTRY_BYTES * (vertexes.length + statuses.length));

/** The record is written a moment after the last message of the solve. */
async function readWritten<Found>(read: () => Promise<Found | null>): Promise<Found | null> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const found = await read();
    if (found) return found;
    await pause(attempt);
  }
  return null;
}

const isMissing = (error: unknown): boolean =>
  error instanceof ConnectError && (error.code === Code.NotFound || /no such job/.test(error.rawMessage));
