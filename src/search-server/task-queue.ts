/**
 * Meilisearch's asynchronous tasks. A write is enqueued and answered with 202; tasks run one after another.
 * Neighbouring tasks that the runner calls compatible run as one batch: a thousand small uploads are one build.
 */
import { ApiError, type ErrorBody } from "./errors.ts";

export type TaskStatus = "enqueued" | "processing" | "succeeded" | "failed" | "canceled";

export type TaskType =
  | "documentAdditionOrUpdate"
  | "documentDeletion"
  | "settingsUpdate"
  | "indexCreation"
  | "indexDeletion"
  | "indexUpdate"
  | "indexSwap"
  | "taskCancelation"
  | "taskDeletion";

export interface Task {
  uid: number;
  batchUid: number | null;
  indexUid: string | null;
  status: TaskStatus;
  type: TaskType;
  canceledBy: number | null;
  details: { [name: string]: unknown };
  error: ErrorBody | null;
  /** ISO 8601 duration: `PT0.042S`. */
  duration: string | null;
  enqueuedAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  customMetadata?: string;
}

/** What became of one task of a batch. */
export interface TaskOutcome {
  details?: { [name: string]: unknown };
  error?: ApiError;
}

export interface QueuedTask<Work> {
  task: Task;
  work: Work;
}

export interface TaskRunner<Work> {
  /** May `next` run in one batch with `batch`? */
  canJoin: (batch: readonly QueuedTask<Work>[], next: QueuedTask<Work>) => boolean;
  /** One outcome per task of the batch, in order. A thrown error fails all of them. */
  run: (batch: readonly QueuedTask<Work>[]) => Promise<TaskOutcome[]>;
}

export interface NewTask<Work> {
  indexUid: string | null;
  type: TaskType;
  details?: { [name: string]: unknown };
  customMetadata?: string;
  work: Work;
}

export interface TaskQueueOptions<Work> {
  runner: TaskRunner<Work>;
  clock: () => Date;
  waitingTasks: number;
  finishedTasks: number;
  onError?: (error: unknown) => void;
}

export class TaskQueue<Work> {
  readonly #options: TaskQueueOptions<Work>;
  readonly #tasks = new Map<number, Task>();
  #waiting: QueuedTask<Work>[] = [];
  #nextUid = 0;
  #nextBatch = 0;
  #running: Promise<void> | null = null;

  constructor(options: TaskQueueOptions<Work>) {
    this.#options = options;
  }

  enqueue(added: NewTask<Work>): Task {
    if (this.#waiting.length >= this.#options.waitingTasks) {
      throw new ApiError(
        "too_many_tasks",
        `${this.#waiting.length} tasks are waiting, the most that this server takes. Wait until some are done.`,
      );
    }
    const task: Task = {
      uid: this.#nextUid++,
      batchUid: null,
      indexUid: added.indexUid,
      status: "enqueued",
      type: added.type,
      canceledBy: null,
      details: added.details ?? {},
      error: null,
      duration: null,
      enqueuedAt: this.#now(),
      startedAt: null,
      finishedAt: null,
      ...(added.customMetadata !== undefined && { customMetadata: added.customMetadata }),
    };
    this.#tasks.set(task.uid, task);
    this.#waiting.push({ task, work: added.work });
    this.#running ??= this.#drain();
    return { ...task };
  }

  get(uid: number): Task | undefined {
    return this.#tasks.get(uid);
  }

  /** Newest first. */
  all(): Task[] {
    return [...this.#tasks.values()].toReversed();
  }

  isProcessing(indexUid: string): boolean {
    for (const task of this.#tasks.values()) {
      if (task.status === "processing" && task.indexUid === indexUid) return true;
    }
    return false;
  }

  /** Resolves when no task is waiting or running. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** Cancels those that still wait; a running build is not interrupted. */
  cancel(uids: ReadonlySet<number>, canceledBy: number): number {
    const [canceled, kept] = [[] as QueuedTask<Work>[], [] as QueuedTask<Work>[]];
    for (const item of this.#waiting) (uids.has(item.task.uid) ? canceled : kept).push(item);
    this.#waiting = kept;
    for (const { task } of canceled) {
      task.status = "canceled";
      task.canceledBy = canceledBy;
      task.finishedAt = this.#now();
    }
    return canceled.length;
  }

  /** Forgets finished tasks. */
  forget(uids: ReadonlySet<number>): number {
    let forgotten = 0;
    for (const uid of uids) {
      const task = this.#tasks.get(uid);
      if (task?.finishedAt && this.#tasks.delete(uid)) forgotten++;
    }
    return forgotten;
  }

  #now(): string {
    return this.#options.clock().toISOString();
  }

  async #drain(): Promise<void> {
    // The answer to the request that enqueued the task goes out first.
    await Promise.resolve();
    try {
      while (this.#waiting.length > 0) await this.#runBatch(this.#takeBatch());
    } finally {
      this.#running = null;
    }
  }

  #takeBatch(): QueuedTask<Work>[] {
    const batch = [this.#waiting.shift()!];
    while (this.#waiting[0] && this.#options.runner.canJoin(batch, this.#waiting[0])) {
      batch.push(this.#waiting.shift()!);
    }
    return batch;
  }

  async #runBatch(batch: QueuedTask<Work>[]): Promise<void> {
    const batchUid = this.#nextBatch++;
    const started = this.#options.clock();
    for (const { task } of batch) {
      task.status = "processing";
      task.batchUid = batchUid;
      task.startedAt = started.toISOString();
    }
    const outcomes = await this.#outcomesOf(batch);
    const finished = this.#options.clock();
    batch.forEach(({ task }, index) => {
      const { details, error } = outcomes[index]!;
      Object.assign(task.details, details);
      task.status = error ? "failed" : "succeeded";
      task.error = error?.body() ?? null;
      task.finishedAt = finished.toISOString();
      task.duration = `PT${(finished.getTime() - started.getTime()) / 1000}S`;
    });
    this.#forgetOldest();
  }

  async #outcomesOf(batch: QueuedTask<Work>[]): Promise<TaskOutcome[]> {
    try {
      return await this.#options.runner.run(batch);
    } catch (cause) {
      if (!(cause instanceof ApiError)) this.#options.onError?.(cause);
      const error =
        cause instanceof ApiError
          ? cause
          : new ApiError(
              "internal",
              `The task failed: ${cause instanceof Error ? cause.message : String(cause)}`,
            );
      return batch.map(() => ({ error }));
    }
  }

  #forgetOldest(): void {
    for (const [uid, task] of this.#tasks) {
      if (this.#tasks.size - this.#waiting.length <= this.#options.finishedTasks) return;
      if (task.finishedAt) this.#tasks.delete(uid);
    }
  }
}
