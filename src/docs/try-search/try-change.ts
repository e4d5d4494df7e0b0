import type { Comparison, TrialRequest } from "./change-index.ts";
import type { Effect, EffectRequest } from "./measure-effect.ts";
import type { ProposalRequest, ProposedRow } from "./propose.ts";
import { type AnswerOf, runInThread } from "./search-thread.ts";
import type { ThreadRequest } from "./thread-request.ts";

/** Building the documentation's index takes a second, or ten on a busy machine. */
const LIMIT_MS = 30_000;
/** Requests for proposals that may wait for each other. */
const MAX_WAITING = 4;

type Without<Request> = Omit<Request, "bytes" | "kind">;

export interface ChangeTrials {
  /** The hits of one search before and after a change. */
  tryChange: (request: Without<TrialRequest>) => Promise<Comparison>;
  /** Past searches before and after a change. */
  measureEffect: (request: Without<EffectRequest>, signal?: AbortSignal) => Promise<Effect>;
  /** Changes that may answer searches. */
  propose: (request: Without<ProposalRequest>, signal?: AbortSignal) => Promise<ProposedRow[]>;
}

/**
 * Questions about the documentation's index and what a change would do to it, on indexes in memory. One change at a time;
 * proposals take their turns.
 * @param readIndex returns the bytes of the served index
 */
export function createChangeTrials(readIndex: () => Promise<Uint8Array>, limitMs = LIMIT_MS): ChangeTrials {
  const ask = async <Request extends ThreadRequest>(
    request: (bytes: Uint8Array) => Request,
    signal?: AbortSignal,
  ): Promise<AnswerOf<Request>> => runInThread(request(await readIndex()), { limitMs, signal });

  let isBusy = false;
  async function alone<Answer>(run: () => Promise<Answer>): Promise<Answer> {
    if (isBusy) throw new Error("Another change is being tried: try again when it is done.");
    isBusy = true;
    try {
      return await run();
    } finally {
      isBusy = false;
    }
  }

  let waiting = 0;
  let former: Promise<unknown> = Promise.resolve();
  async function inTurn<Answer>(run: () => Promise<Answer>): Promise<Answer> {
    if (waiting >= MAX_WAITING) throw new Error("Too many requests for proposals: try again in a minute.");
    waiting += 1;
    const turn = former.then(run, run);
    former = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      waiting -= 1;
    }
  }
  return {
    tryChange: (request) => alone(() => ask((bytes) => ({ kind: "trial", ...request, bytes }))),
    measureEffect: (request, signal) =>
      alone(() => ask((bytes) => ({ kind: "effect", ...request, bytes }), signal)),
    propose: (request, signal) =>
      inTurn(() => ask((bytes) => ({ kind: "proposals", ...request, bytes }), signal)),
  };
}
