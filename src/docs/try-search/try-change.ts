import { Worker } from "node:worker_threads";
import type { Comparison, TrialRequest } from "./change-index.ts";

/** An index of the documentation takes a second, on a busy machine ten. */
const LIMIT_MS = 30_000;
/** Of the thread: several times what the documentation's index takes. */
const MEMORY_MB = 512;

export type TryChange = (request: Omit<TrialRequest, "bytes">) => Promise<Comparison>;

/**
 * Compares what a search finds with what it would find after a change, on indexes in memory; one at a time.
 * @param readIndex the bytes of the index that is served
 */
export function createTryChange(readIndex: () => Promise<Uint8Array>, limitMs = LIMIT_MS): TryChange {
  let isBusy = false;
  return async (request) => {
    if (isBusy) throw new Error("Another change is being tried: try again when it is done.");
    isBusy = true;
    try {
      return await runInThread({ ...request, bytes: await readIndex() }, limitMs);
    } finally {
      isBusy = false;
    }
  };
}

async function runInThread(request: TrialRequest, limitMs: number): Promise<Comparison> {
  const worker = new Worker(new URL("./trial-worker.ts", import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  const done = Promise.withResolvers<Comparison>();
  const timer = setTimeout(
    () => done.reject(new Error(`The change was not tried within ${limitMs / 1000} seconds.`)),
    limitMs,
  );
  worker.once("message", (comparison: Comparison) => done.resolve(comparison));
  worker.once("error", done.reject);
  worker.once("exit", () => done.reject(new Error("The change could not be tried: its thread ended.")));
  try {
    return await done.promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
