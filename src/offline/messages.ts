/** What a page asks of the worker, each with a port for the answers. */
export type ToWorker = { type: "install" } | { type: "remove" };

/** Where a worker that cannot take its place says why, in a sentence: on a full disk it can write nothing down. */
export const PROBLEM_CHANNEL = "millrace-offline-problem";

/** Held by the worker from `started` to its last message: the browser frees it when it ends the worker. */
export const WORK_LOCK = "millrace-offline-work";

/** `failed` has a sentence for the reader. */
export type FromWorker =
  | { type: "started" }
  | { type: "progress"; done: number; total: number }
  | { type: "done" }
  | { type: "failed"; message: string };
