import { Worker } from "node:worker_threads";
import type { BuildMessage, BuildRequest, BuiltIndex } from "./build-worker.ts";

export interface BuildProgress {
  step: string;
  finished: number;
  total: number;
}

/** The input cannot be built; the thread is fine. */
export class BuildError extends Error {}

export interface IndexBuilder {
  /** One build at a time; the caller waits for the previous one. */
  build: (request: BuildRequest, onProgress: (progress: BuildProgress) => void) => Promise<BuiltIndex>;
  close: () => Promise<void>;
}

/** Builds in a worker thread, which starts with the first build and does not keep the process alive. */
export function createIndexBuilder(): IndexBuilder {
  let worker: Worker | null = null;

  function start(): Worker {
    const started = new Worker(new URL("./build-worker.ts", import.meta.url), {
      // By default it is three times as much, and the thread keeps its peak.
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    });
    started.unref();
    started.once("exit", () => {
      if (worker === started) worker = null;
    });
    return started;
  }

  function build(request: BuildRequest, onProgress: (progress: BuildProgress) => void): Promise<BuiltIndex> {
    const current = (worker ??= start());
    return new Promise((resolve, reject) => {
      const settle = () => current.off("message", onMessage).off("error", onEnd).off("exit", onEnd);
      const onEnd = (reason: unknown) => {
        settle();
        worker = null;
        reject(
          reason instanceof Error ? reason : new Error(`The build thread ended with code ${String(reason)}.`),
        );
      };
      const onMessage = (message: BuildMessage) => {
        if (message.kind === "progress") return onProgress(message);
        settle();
        if (message.kind === "done") resolve(message);
        else reject(new BuildError(message.message));
      };
      current.on("message", onMessage).once("error", onEnd).once("exit", onEnd);
      current.postMessage(request, []);
    });
  }

  return {
    build,
    async close() {
      await worker?.terminate();
      worker = null;
    },
  };
}
