/** In its own thread, because an index takes longer to build than a request may wait for another. */
import { parentPort, workerData } from "node:worker_threads";
import { compareChange, type TrialRequest } from "./change-index.ts";

// Given by `try-change.ts`.
parentPort?.postMessage(compareChange(workerData as TrialRequest), []);
