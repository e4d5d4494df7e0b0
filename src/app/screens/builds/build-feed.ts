/**
 * One viewed build: its steps through WatchBuild, its lines through StreamLogs. A cut stream is requested again: the build
 * from its beginning, the log from after its last line. Updates are shown at most once a frame.
 */
import type { Build as ApiBuild, Step as ApiStep } from "#api/gen/json-types.ts";
import { CallError } from "../../data/call.ts";
import { readStream } from "../../data/read-stream.ts";
import { LogLines, type Written } from "../../ui/log/log-lines.ts";
import type { Build } from "../../ui/timeline/build-model.ts";
import { isOver, timeOf } from "./build-words.ts";
import { toModel } from "./to-model.ts";

/** A message of WatchBuild: the build without steps, and the steps, as far as they changed; at first all of it. */
interface Watched {
  build?: ApiBuild;
  steps?: readonly ApiStep[];
}

/** A message of StreamLogs. 64-bit numbers are strings. */
interface Line {
  sequence: string;
  step_id: string;
  stream: string;
  text: string;
  time?: string;
}

export interface BuildSnapshot {
  /** Without steps: those are in `model`. */
  build: ApiBuild;
  model: Build;
  stepById: (id: string) => ApiStep | undefined;
  /** It grows in place; `version` changes with it. */
  log: LogLines;
  version: number;
  /** All lines have arrived. */
  isLogWhole: boolean;
  /** Why no more lines will come. */
  logError: Error | null;
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 10_000;

const ENDING = /^(?:CACHED$|CANCELED$|DONE \d|ERROR: )/;

interface Options {
  organization: string;
  build: ApiBuild;
}

export class BuildFeed {
  #build: ApiBuild;
  #steps: Map<string, ApiStep>;
  #snapshot: BuildSnapshot;
  #isLogWhole = false;
  #logError: Error | null = null;
  #after = 0;
  #frame = 0;
  /** Number of messages received. */
  #received = 0;
  #isWatching = false;
  readonly #organization: string;
  readonly #log = new LogLines();
  /** Steps with log messages: the first message is the step's name. */
  readonly #begun = new Set<string>();
  readonly #listeners = new Set<() => void>();

  constructor({ organization, build }: Options) {
    this.#organization = organization;
    this.#build = build;
    this.#steps = stepsByKey(build.steps);
    this.#snapshot = this.#look();
  }

  read = (): BuildSnapshot => this.#snapshot;

  watch = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Takes a build that was read elsewhere: it is newer while nothing is watched. */
  accept(build: ApiBuild): void {
    if (this.#isWatching || build === this.#build) return;
    this.#take({ build, steps: build.steps }, true);
  }

  /** Runs until stopped or until the build has ended. @returns stops it */
  follow(): () => void {
    if (isOver(this.#build)) return () => {};
    this.#isWatching = true;
    return this.#again(
      async (signal) => {
        let isFirst = true;
        const request = { build_id: this.#build.id };
        for await (const messages of this.#stream<Watched>("BuildService/WatchBuild", request, signal))
          for (const message of messages) {
            this.#take(message, isFirst);
            isFirst = false;
          }
        this.#isWatching = !isOver(this.#build);
        return !this.#isWatching;
      },
      () => (this.#isWatching = false),
    );
  }

  /** @returns stops it; another call continues where the first one ended */
  followLog(): () => void {
    if (this.#isLogWhole) return () => {};
    this.#logError = null;
    return this.#again(
      async (signal) => {
        const request = { build_id: this.#build.id, after: String(this.#after) };
        for await (const lines of this.#stream<Line>("BuildService/StreamLogs", request, signal))
          this.#append(lines);
        this.#endLog();
        return true;
      },
      (error) => {
        this.#logError = error;
        this.#show();
      },
    );
  }

  #stream<Message>(method: string, request: object, signal: AbortSignal) {
    return readStream<Message>(method, request, { organization: this.#organization, signal });
  }

  /** Repeats until the work is done. A cut stream is retried, with growing pauses while nothing arrives. */
  #again(run: (signal: AbortSignal) => Promise<boolean>, onRefused: (error: Error) => void) {
    const controller = new AbortController();
    const { signal } = controller;
    void (async () => {
      for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
        const received = this.#received;
        try {
          if (await run(signal)) return;
        } catch (error) {
          if (signal.aborted) return;
          if (!mayPass(error)) return onRefused(error instanceof Error ? error : new Error(String(error)));
        }
        if (this.#received !== received) wait = FIRST_WAIT_MS;
        await pause(wait, signal);
      }
    })();
    return () => controller.abort();
  }

  #take({ build, steps = [] }: Watched, isWhole: boolean): void {
    if (build) this.#build = { ...build, steps: [] };
    if (isWhole) this.#steps = new Map();
    for (const step of steps) {
      this.#steps.set(keyOf(step), step);
      if (step.state === "failed") this.#log.markFailed(step.id);
    }
    this.#show();
  }

  #append(lines: readonly Line[]): void {
    let at = 0;
    const written: Written[] = [];
    for (const { sequence, step_id: stepId, stream, text, time } of lines) {
      // The server reports a silent step with the number of the line before: such a message is not a line.
      if (Number(sequence) <= this.#after) continue;
      this.#after = Number(sequence);
      at = timeOf(time) ?? at;
      const hasBegun = this.#begun.has(stepId);
      this.#begun.add(stepId);
      // A step's head shows its name, its time, and its result.
      if (stream === "status" && (!hasBegun || ENDING.test(text))) continue;
      written.push({ stepId, text: `${text}\n`, at });
    }
    this.#log.append(written);
    this.#show();
  }

  /** The builder's message about a failed step goes to the end, so that every reading has it in the same place. */
  #endLog(): void {
    this.#isLogWhole = true;
    for (const { id, state, error, finished_at } of this.#steps.values())
      if (state === "failed" && error !== "") {
        this.#log.markFailed(id);
        this.#log.appendError(id, error, timeOf(finished_at) ?? 0);
      }
    this.#show();
  }

  #look(): BuildSnapshot {
    return {
      build: this.#build,
      model: toModel(this.#build, [...this.#steps.values()]),
      stepById: (id) => [...this.#steps.values()].find((step) => step.id === id),
      log: this.#log,
      version: this.#log.version,
      isLogWhole: this.#isLogWhole,
      logError: this.#logError,
    };
  }

  #show(): void {
    this.#received++;
    // A hidden page is not painted, and catches up later.
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#snapshot = this.#look();
      for (const listener of this.#listeners) listener();
    });
  }
}

/** Builders of two platforms may have a step with the same digest. */
const keyOf = ({ id, platform }: ApiStep) => `${platform} ${id}`;

const stepsByKey = (steps: readonly ApiStep[]) => new Map(steps.map((step) => [keyOf(step), step]));

/** The server repeats its refusals. */
const mayPass = (error: unknown) =>
  !(error instanceof CallError) || error.status === 0 || error.status === 429 || error.status >= 502;

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
    addEventListener("online", done);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      removeEventListener("online", done);
      resolve();
    }
  });
}
