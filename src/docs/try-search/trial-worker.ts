/** Runs in its own thread, because building an index would delay other requests too long. */
import { parentPort, workerData } from "node:worker_threads";
import { compareChange, type TrialRequest } from "./change-index.ts";

// Data from `try-change.ts`.
parentPort?.postMessage(compareChange(workerData as TrialRequest), []);
