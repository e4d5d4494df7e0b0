/** The task queue's view of the runner that does the tasks. */
import type { IndexChange } from "../catalog/catalog.ts";
import type { RuleRowChange } from "../catalog/rule-rows.ts";
import type { HeldPayload } from "../catalog/payload-store.ts";
import type { Task, TaskOutcome } from "../catalog/task.ts";

/** The result of a batch; it does not count before it is committed. */
export interface PreparedBatch {
  /** One per task of the batch, in order. */
  outcomes: TaskOutcome[];
  changes?: IndexChange[];
  rules?: RuleRowChange[];
  /** Changes memory after the commit. Must not fail. */
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
  /** Called after the commit or cancelation: removes what the tasks no longer need. */
  cleanUp?: (tasks: readonly QueuedTask<Work>[]) => Promise<void>;
}
