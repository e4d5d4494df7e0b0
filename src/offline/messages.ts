/** What a page asks of the worker, each with a port for the answers. */
export type ToWorker = { type: "install" } | { type: "remove" };

/** `failed` has a sentence for the reader. */
export type FromWorker =
  { type: "progress"; done: number; total: number } | { type: "done" } | { type: "failed"; message: string };
