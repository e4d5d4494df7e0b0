/** One thread for one question about the index, ended when it is answered, too late, or no longer asked. */
import { Worker } from "node:worker_threads";
import type { Comparison } from "./change-index.ts";
import type { Effect } from "./measure-effect.ts";
import type { ProposedRow } from "./propose.ts";
import type { ThreadRequest } from "./thread-request.ts";

interface Answers {
  trial: Comparison;
  effect: Effect;
  proposals: ProposedRow[];
}

export type AnswerOf<Request extends ThreadRequest> = Answers[Request["kind"]];

/** Memory of the thread: several times the need of the documentation's index. */
const MEMORY_MB = 512;

export interface ThreadLimits {
  limitMs: number;
  /** Aborted when no one waits any more. */
  signal?: AbortSignal | undefined;
}

export async function runInThread<Request extends ThreadRequest>(
  request: Request,
  { limitMs, signal }: ThreadLimits,
): Promise<AnswerOf<Request>> {
  signal?.throwIfAborted();
  const worker = new Worker(new URL("./trial-worker.ts", import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  const done = Promise.withResolvers<AnswerOf<Request>>();
  const timer = setTimeout(
    () => done.reject(new Error(`The change was not tried within ${limitMs / 1000} seconds.`)),
    limitMs,
  );
  const onAbort = () => done.reject(new Error("The request was cancelled."));
  signal?.addEventListener("abort", onAbort, { once: true });
  worker.once("message", (answer: AnswerOf<Request>) => done.resolve(answer));
  worker.once("error", done.reject);
  worker.once("exit", () => done.reject(new Error("The change could not be tried: its thread ended.")));
  try {
    return await done.promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    await worker.terminate();
  }
}
