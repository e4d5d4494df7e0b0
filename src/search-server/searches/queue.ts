/**
 * All searches of one process, so that none of them holds up the others or the pages. Most are done within
 * their first turn; longer ones continue after the others, with half of the time for them and half for new
 * ones.
 *
 *   turn of the event loop   | begin, begin, begin … (5 ms) | one that continues (5 ms) | everything else |
 *
 * When everything else takes longer, because many requests arrive at the same time, new searches may take
 * as long: otherwise each would wait for the others to be read.
 *
 * While nothing waits, a search begins immediately at no extra cost. Too many, or too long a wait: 503 with
 * Retry-After.
 */
import type { Steps } from "#search/index.ts";
import { tooManySearches } from "../protocol/errors.ts";
import { LONGEST_TURN_MS, type SearchLimits, TURN_MS } from "../protocol/limits.ts";

export interface SearchQueue {
  /** Returns or throws as the steps do. @throws ApiError `too_many_search_requests` */
  run: <Result>(steps: Steps<Result>) => Promise<Result>;
  /** Searches that have not begun. */
  readonly waiting: number;
  /** Searches that have begun and are not done. */
  readonly started: number;
}

export interface SearchQueueOptions {
  limits: Pick<SearchLimits, "waitingSearches" | "searchWaitMs" | "startedSearches">;
  now: () => number;
  /** Calls back in the next turn of the event loop. Default: `setImmediate`. */
  nextTurn?: (callback: () => void) => void;
}

interface Job {
  /** Runs it until a time; false = not done. Settles its promise. */
  advance: (until: number) => boolean;
  refuse: () => void;
  since: number;
}

export function createSearchQueue({ limits, now, nextTurn = setImmediate }: SearchQueueOptions): SearchQueue {
  const waiting: Job[] = [];
  const started: Job[] = [];
  let isTurnOpen = false;
  /** The time since which searches have done nothing. */
  let lastEnd = 0;
  let turnEnd = 0;

  function openTurn(milliseconds = TURN_MS): void {
    if (isTurnOpen) return;
    isTurnOpen = true;
    lastEnd = now();
    turnEnd = lastEnd + milliseconds;
    nextTurn(takeTurn);
  }

  function takeTurn(): void {
    isTurnOpen = false;
    if (waiting.length + started.length === 0) return;
    const elsewhere = now() - lastEnd;
    openTurn(Math.min(LONGEST_TURN_MS, Math.max(TURN_MS, elsewhere)));
    const [long] = started;
    beginUntil(long ? turnEnd - TURN_MS / 2 : turnEnd);
    if (long) {
      started.shift();
      if (!long.advance(turnEnd)) started.push(long);
    }
    lastEnd = now();
  }

  function beginUntil(end: number): void {
    do {
      const job = waiting.shift();
      if (!job) return;
      if (now() - job.since > limits.searchWaitMs) job.refuse();
      else begin(job, end);
    } while (now() < end);
  }

  function begin(job: Job, until: number): void {
    if (job.advance(until)) return;
    if (started.length < limits.startedSearches) started.push(job);
    else job.refuse();
  }

  return {
    run<Result>(steps: Steps<Result>): Promise<Result> {
      openTurn();
      const { job, result } = createJob(steps, now);
      if (waiting.length === 0 && job.since < turnEnd) begin(job, turnEnd);
      else if (waiting.length < limits.waitingSearches) waiting.push(job);
      else job.refuse();
      return result;
    },
    get waiting() {
      return waiting.length;
    },
    get started() {
      return started.length;
    },
  };
}

function createJob<Result>(steps: Steps<Result>, now: () => number): { job: Job; result: Promise<Result> } {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const job: Job = {
    since: now(),
    advance(until) {
      try {
        do {
          const step = steps.next();
          if (step.done) {
            resolve(step.value);
            return true;
          }
        } while (now() < until);
        return false;
      } catch (error) {
        reject(error);
        return true;
      }
    },
    refuse: () =>
      reject(tooManySearches("The server has too many searches at the moment. Try again shortly.")),
  };
  return { job, result: promise };
}
