/**
 * One build while it is looked at: its steps through WatchBuild, its lines through StreamLogs. Each stream is asked for again
 * when it is cut: the build from its beginning, the log from behind its last line. What has come is shown at most once a frame.
 */
import type { Build as ApiBuild, Step as ApiStep } from "#api/gen/json-types.ts";
import { CallError } from "../../data/call.ts";
import { readStream } from "../../data/read-stream.ts";
import { LogLines, type Written } from "../../ui/log/log-lines.ts";
import type { Build } from "../../ui/timeline/build-model.ts";
import { isOver, timeOf } from "./build-words.ts";
import { toModel } from "./to-model.ts";

/** Of WatchBuild: the build without steps when it changed, and the steps that changed; at first all of it. */
interface Watched {
  build?: ApiBuild;
  steps?: readonly ApiStep[];
}

/** Of StreamLogs. 64-bit numbers are texts. */
interface Line {
  sequence: string;
  step_id: string;
  stream: string;
  text: string;
  time?: string;
}

export interface BuildSnapshot {
  /** Without steps: `model` has them. */
  build: ApiBuild;
  model: Build;
  stepById: (id: string) => ApiStep | undefined;
  /** It grows in place; `version` tells that it has. */
  log: LogLines;
  version: number;
  /** All lines have come. */
  isLogWhole: boolean;
  /** Why there are no more lines. */
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
  /** Messages so far. */
  #heard = 0;
  #isWatching = false;
  readonly #organization: string;
  readonly #log = new LogLines();
  /** Steps of whose log something has come: the first of it is their name. */
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

  /** What was read otherwise: newer, when nothing is watched. */
  accept(build: ApiBuild): void {
    if (this.#isWatching || build === this.#build) return;
    this.#take({ build, steps: build.steps }, true);
  }

  /** Until it is stopped or the build has ended. @returns what stops it */
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

  /** @returns what stops it; a second call goes on where the first one was */
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

  /** Runs until it says that it is done. What was cut is tried again, ever later while nothing comes. */
  #again(run: (signal: AbortSignal) => Promise<boolean>, onRefused: (error: Error) => void) {
    const controller = new AbortController();
    const { signal } = controller;
    void (async () => {
      for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
        const heard = this.#heard;
        try {
          if (await run(signal)) return;
        } catch (error) {
          if (signal.aborted) return;
          if (!mayPass(error)) return onRefused(error instanceof Error ? error : new Error(String(error)));
        }
        if (this.#heard !== heard) wait = FIRST_WAIT_MS;
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
      // While a step is silent the server says so with the number of the line before: that is no line.
      if (Number(sequence) <= this.#after) continue;
      this.#after = Number(sequence);
      at = timeOf(time) ?? at;
      const hasBegun = this.#begun.has(stepId);
      this.#begun.add(stepId);
      // The head of a step has its name, its time, and how it ended.
      if (stream === "status" && (!hasBegun || ENDING.test(text))) continue;
      written.push({ stepId, text: `${text}\n`, at });
    }
    this.#log.append(written);
    this.#show();
  }

  /** What the builder says of a failed step stands at the end, where it is at every reading. */
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
    this.#heard++;
    // A page that nobody sees is not painted, and catches up when it is.
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#snapshot = this.#look();
      for (const listener of this.#listeners) listener();
    });
  }
}

/** Builders of two platforms may have a step of the same digest. */
const keyOf = ({ id, platform }: ApiStep) => `${platform} ${id}`;

const stepsByKey = (steps: readonly ApiStep[]) => new Map(steps.map((step) => [keyOf(step), step]));

/** What the server refuses it refuses again. */
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
