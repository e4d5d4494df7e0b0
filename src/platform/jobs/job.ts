/**
 * Work that is repeated in the background: sweeping, deleting old data, sending queued data.
 *
 *   idle ──wake──► running ──► { againMs }   runs again after it; wakes in between are ignored
 *                         ├──► { restMs }    then idle; wakes in between are ignored
 *                         └──► nothing       idle, or again if it was woken meanwhile
 *
 * With `wakeDelayMs`, a wake starts a pause of that length, and the run follows it. Whatever wakes it, it runs as the server's
 * own work. A job never runs twice at the same time. An error is reported, and the job continues as if it had returned `retry`.
 */
import { outsideRequests } from "../log/request-context.ts";

/** When a job continues; undefined: when it is woken. */
export type JobPause = { againMs: number } | { restMs: number } | undefined;

export interface JobOptions {
  /** For reports: `retention`. */
  name: string;
  /** @param signal aborted when the job is stopped or takes longer than `timeoutMs` */
  // oxlint-disable-next-line typescript/no-invalid-void-type -- a job that has nothing to say returns nothing
  run: (signal: AbortSignal) => Promise<JobPause | void> | JobPause | void;
  /** The pause after a run that has thrown. */
  retry: JobPause;
  onError: (error: unknown, name: string) => void;
  /** The pause before the first run. Default: it waits to be woken. */
  first?: JobPause;
  /** Milliseconds from a wake to the run: wakes within that time cause one run. Default 0. */
  wakeDelayMs?: number;
  /** Random share of each pause, so that servers do not all act at the same time. Default 0. */
  jitter?: number;
  /** Milliseconds after which a run's signal is aborted. Default: never. */
  timeoutMs?: number;
  /** Milliseconds from any origin. */
  clock?: () => number;
  /** 0 to 1. */
  random?: () => number;
  timers?: JobTimers;
}

/** The part of Node's timers that is used here. */
export interface JobTimers {
  set: (run: () => void, ms: number) => unknown;
  clear: (timer: unknown) => void;
}

export interface Job {
  /** Runs it now, or after `wakeDelayMs`, unless it is running, pausing or resting. */
  wake: () => void;
  /** Resolves when it no longer runs; it does not begin again. */
  stop: () => Promise<void>;
  /** Resolves when the current run has ended; immediately if there is none. */
  settled: () => Promise<void>;
  readonly isRunning: boolean;
}

/** A job's timers do not keep the process alive. */
const NODE_TIMERS: JobTimers = {
  set: (run, ms) => setTimeout(run, ms).unref(),
  // The handle that `set` returned.
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout),
};

export function createJob(options: JobOptions): Job {
  const { name, retry, onError, wakeDelayMs = 0, jitter = 0 } = options;
  const { clock = () => performance.now(), random = Math.random, timers = NODE_TIMERS } = options;
  const ending = new AbortController();
  let running: Promise<void> | null = null;
  let timer: unknown = null;
  let restsUntil = Number.NEGATIVE_INFINITY;
  let isWoken = false;

  const spread = (ms: number) => ms * (1 - jitter * random());

  async function runOnce(): Promise<void> {
    try {
      goOn(await runInTime(options, timers, ending.signal));
    } catch (error) {
      if (!ending.signal.aborted) onError(error, name);
      goOn(retry);
    }
  }

  function goOn(pause: JobPause): void {
    if (ending.signal.aborted) return;
    if (pause && "restMs" in pause) restsUntil = clock() + spread(pause.restMs);
    else if (pause) {
      timer = timers.set(() => {
        timer = null;
        begin();
      }, spread(pause.againMs));
    }
  }

  function begin(): void {
    if (ending.signal.aborted) return;
    isWoken = false;
    running = outsideRequests(runOnce).finally(() => {
      running = null;
      if (isWoken) wake();
    });
  }

  function wake(): void {
    if (running) isWoken = true;
    else if (timer !== null || clock() < restsUntil) return;
    else if (wakeDelayMs > 0) goOn({ againMs: wakeDelayMs });
    else begin();
  }

  if (options.first) goOn(options.first);
  return {
    wake,
    async stop() {
      ending.abort();
      if (timer !== null) timers.clear(timer);
      timer = null;
      await running;
    },
    settled: async () => void (await running),
    get isRunning() {
      return running !== null;
    },
  };
}

/** @param ending aborted when the job is stopped */
async function runInTime(
  { name, run, timeoutMs }: JobOptions,
  timers: JobTimers,
  ending: AbortSignal,
): Promise<JobPause> {
  if (timeoutMs === undefined) return (await run(ending)) ?? undefined;
  const late = new AbortController();
  const limit = timers.set(() => late.abort(new Error(`${name} takes too long.`)), timeoutMs);
  try {
    return (await run(AbortSignal.any([ending, late.signal]))) ?? undefined;
  } finally {
    timers.clear(limit);
  }
}

export interface PeriodicJobOptions extends Omit<JobOptions, "first" | "retry" | "run"> {
  everyMs: number;
  run: (signal: AbortSignal) => unknown;
}

/**
 * A job that runs `everyMs` after its start, and again that long after each run has ended, however it ended.
 */
export function startPeriodicJob({ everyMs, run, ...options }: PeriodicJobOptions): Job {
  const pause = { againMs: everyMs };
  return createJob({
    ...options,
    first: pause,
    retry: pause,
    async run(signal) {
      await run(signal);
      return pause;
    },
  });
}
