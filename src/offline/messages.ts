/** What a page asks of the worker, each with a port for the answers. */
export type ToWorker = { type: "install" } | { type: "remove" };

/** Where a worker that cannot take its place says why, in a sentence: on a full disk it can write nothing down. */
export const PROBLEM_CHANNEL = "millrace-offline-problem";

/**
 * The first is a `progress`, which pages of former releases know, too. `lock`: held by the worker until its last message;
 * the browser frees it when it ends the worker. `failed` has a sentence for the reader.
 */
export type FromWorker =
  | { type: "progress"; done: number; total: number; lock?: string }
  | { type: "done" }
  | { type: "failed"; message: string };
