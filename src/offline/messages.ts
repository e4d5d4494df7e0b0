/** Messages of a page to the worker, each with a port for the answers. */
export type ToWorker = { type: "install" } | { type: "remove" };

/** A worker that cannot be installed sends the reason here, in a sentence: on a full disk it cannot store it. */
export const PROBLEM_CHANNEL = "millrace-offline-problem";

/**
 * The first message is a `progress`, which pages of former releases also know. `lock`: held by the worker until its last
 * message; the browser frees it when it ends the worker. `failed` has a sentence for the reader.
 */
export type FromWorker =
  | { type: "progress"; done: number; total: number; lock?: string }
  | { type: "done" }
  | { type: "failed"; message: string };
