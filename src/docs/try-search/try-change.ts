import { Worker } from "node:worker_threads";
import type { Comparison, TrialRequest } from "./change-index.ts";

/** Building the documentation's index takes a second, or ten on a busy machine. */
const LIMIT_MS = 30_000;
/** Memory of the thread: several times the need of the documentation's index. */
const MEMORY_MB = 512;

export type TryChange = (request: Omit<TrialRequest, "bytes">) => Promise<Comparison>;

/**
 * Compares the hits of a search with its hits after a change, on indexes in memory; one change at a time.
 * @param readIndex returns the bytes of the served index
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
