import type { BuildMessage, BuildRequest, BuiltIndex } from "./build-worker.ts";
import { createRestingThread } from "../payloads/resting-thread.ts";

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

/** Builds in a thread of its own. */
export function createIndexBuilder(): IndexBuilder {
  const thread = createRestingThread(new URL("./build-worker.ts", import.meta.url));

  function build(request: BuildRequest, onProgress: (progress: BuildProgress) => void): Promise<BuiltIndex> {
    const current = thread.take();
    return new Promise((resolve, reject) => {
      const settle = () => current.off("message", onMessage).off("error", onEnd).off("exit", onEnd);
      const onEnd = (reason: unknown) => {
        settle();
        thread.forget();
        reject(
          reason instanceof Error ? reason : new Error(`The build thread ended with code ${String(reason)}.`),
        );
      };
      const onMessage = (message: BuildMessage) => {
        if (message.kind === "progress") return onProgress(message);
        settle();
        thread.rest(message.heapBytes);
        if (message.kind === "done") resolve(message);
        else reject(new BuildError(message.message));
      };
      current.on("message", onMessage).once("error", onEnd).once("exit", onEnd);
      current.postMessage(request, []);
    });
  }

  return { build, close: thread.close };
}
