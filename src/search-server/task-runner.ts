/** What the queue of tasks knows of those who do them. */
import type { IndexChange } from "./catalog/catalog.ts";
import type { HeldPayload } from "./catalog/payload-store.ts";
import type { Task, TaskOutcome } from "./task.ts";

/** What a batch has come to; nothing of it counts before it is committed. */
export interface PreparedBatch {
  /** One per task of the batch, in order. */
  outcomes: TaskOutcome[];
  changes?: IndexChange[];
  /** Memory, after the commit. Must not fail. */
  apply?: () => void;
}

export interface QueuedTask<Work> {
  task: Task;
  work: Work;
  payload: HeldPayload;
}

export interface TaskRunner<Work> {
  /** May `next` run in one batch with `batch`? */
  canJoin: (batch: readonly QueuedTask<Work>[], next: QueuedTask<Work>) => boolean;
  /** A thrown error fails all tasks of the batch. */
  prepare: (batch: readonly QueuedTask<Work>[], batchUid: number) => Promise<PreparedBatch>;
  /** After the commit, or the cancelation: what the tasks no longer need. */
  cleanUp?: (tasks: readonly QueuedTask<Work>[]) => Promise<void>;
}
