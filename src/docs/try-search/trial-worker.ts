/** Runs in its own thread, because building an index would delay other requests too long. */
import { parentPort, workerData } from "node:worker_threads";
import { compareChange } from "./change-index.ts";
import { measureEffect } from "./measure-effect.ts";
import { proposeChanges } from "./propose.ts";
import type { ThreadRequest } from "./thread-request.ts";

/** Past searches are made again for at most this long; the thread itself may take longer to build the index. */
const EFFECT_MS = 15_000;

// Data from `search-thread.ts`.
const request = workerData as ThreadRequest;
parentPort?.postMessage(answer(), []);

function answer(): object {
  if (request.kind === "trial") return compareChange(request);
  if (request.kind === "proposals") return proposeChanges(request);
  const end = performance.now() + EFFECT_MS;
  return measureEffect(request, () => performance.now() < end);
}
