/**
 * Meilisearch's asynchronous tasks. A write is in the catalog before it is answered with 202; tasks run one
 * after another. Neighbouring tasks that the runner calls compatible run as one batch: a thousand small
 * uploads are one build.
 *
 *   enqueued ──▶ prepared (files written) ──▶ committed (one transaction) ──▶ applied (memory)
 *
 * If the process ends before the commit, its next start repeats the batch; after the commit it does not.
 */
import type { Catalog, FinishedBatch } from "../catalog/catalog.ts";
import { type HeldPayload, held } from "../catalog/payload-store.ts";
import { ApiError } from "../protocol/errors.ts";
import { asStorageError } from "../protocol/storage-errors.ts";
import { finishTask, type NewTask, newTask, type Task } from "../catalog/task.ts";
import type { PreparedBatch, QueuedTask, TaskRunner } from "./task-runner.ts";

export interface TaskQueueOptions<Work> {
  catalog: Catalog;
  runner: TaskRunner<Work>;
  clock: () => Date;
  waitingTasks: number;
  finishedTasks: number;
  /** Waits before a refused commit is retried; rejects when the queue is closed. */
  pause: (signal: AbortSignal) => Promise<void>;
  onError?: (error: unknown) => void;
  /** Called with tasks that are done, after the commit. Must not fail. */
  onFinished?: (tasks: readonly Task[]) => void;
}

const NO_PAYLOAD: HeldPayload = { file: null, size: 0 };

export class TaskQueue<Work> {
  readonly #options: TaskQueueOptions<Work>;
  readonly #tasks = new Map<number, Task>();
  readonly #closing = new AbortController();
  #waiting: QueuedTask<Work>[] = [];
  #nextBatch: number;
  #running: Promise<void> | null = null;
  /** Why the last commit was refused; null once one has succeeded. */
  #refusal: unknown = null;

  /** Takes over the catalog's tasks; `start` runs those that wait. */
  constructor(options: TaskQueueOptions<Work>) {
    this.#options = options;
    const { catalog } = options;
    this.#nextBatch = catalog.nextBatch;
    for (const task of catalog.tasks()) this.#tasks.set(task.uid, task);
    this.#waiting = catalog.waiting().map(({ uid, work, payload }) => ({
      task: this.#tasks.get(uid)!,
      // Written by `enqueue` of this class.
      work: work as Work,
      payload,
    }));
  }

  start(): void {
    if (this.#waiting.length > 0 && !this.#closing.signal.aborted) this.#running ??= this.#drain();
  }

  /** @throws ApiError when too many tasks wait; the database's error when the task could not be stored */
  enqueue(added: NewTask<Work>): Task {
    this.#checkRoom();
    const payload = added.payload ?? null;
    return this.#add(added, (task) => this.#options.catalog.addTask(task, added.work, payload));
  }

  /** Whether another task would be accepted; called before a long body is read. @throws ApiError */
  checkRoom(): void {
    this.#checkRoom();
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

  /** Whether prepared work cannot currently be committed. */
  get isStuck(): boolean {
    return this.#refusal !== null;
  }

  /** Resolves when no task is waiting or running. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** Lets a batch being committed finish; everything that waits continues at the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  /** Cancels waiting tasks, in one step with the task that says so; a running build is not interrupted. */
  cancel(uids: ReadonlySet<number>, added: NewTask<Work>): Task {
    this.#checkRoom();
    const canceled = this.#waiting.filter(({ task }) => uids.has(task.uid));
    const finishedAt = this.#now();
    const after = (canceledBy: number) =>
      canceled.map(({ task }): Task => ({ ...task, status: "canceled", canceledBy, finishedAt }));
    const details = { ...added.details, canceledTasks: canceled.length };
    const task = this.#add({ ...added, details }, (row) =>
      this.#options.catalog.cancel(row, added.work, after),
    );
    const gone = new Set(canceled);
    this.#waiting = this.#waiting.filter((item) => !gone.has(item));
    const finished = after(task.uid);
    finished.forEach((next, at) => Object.assign(canceled[at]!.task, next));
    this.#options.onFinished?.(finished);
    void this.#options.runner.cleanUp?.(canceled);
    return task;
  }

  /** Forgets finished tasks, in one step with the task that says so. */
  forget(uids: ReadonlySet<number>, added: NewTask<Work>): Task {
    this.#checkRoom();
    const finished = [...uids].filter((uid) => this.#tasks.get(uid)?.finishedAt);
    const details = { ...added.details, deletedTasks: finished.length };
    const task = this.#add({ ...added, details }, (row) =>
      this.#options.catalog.forget(row, added.work, finished),
    );
    for (const uid of finished) this.#tasks.delete(uid);
    return task;
  }

  #checkRoom(): void {
    if (this.#waiting.length < this.#options.waitingTasks) return;
    throw new ApiError(
      "too_many_tasks",
      `${this.#waiting.length} tasks are waiting, the maximum for this server. Wait until some are done.`,
      { retryAfterSeconds: 5 },
    );
  }

  #add(added: NewTask<Work>, keep: (task: Omit<Task, "uid">) => number): Task {
    const row = newTask(added, this.#now());
    const task = { uid: keep(row), ...row };
    this.#tasks.set(task.uid, task);
    this.#waiting.push({ task, work: added.work, payload: added.payload ? held(added.payload) : NO_PAYLOAD });
    this.start();
    return { ...task };
  }

  #now(): string {
    return this.#options.clock().toISOString();
  }

  async #drain(): Promise<void> {
    // The answer to the request that enqueued the task is sent first.
    await Promise.resolve();
    try {
      while (this.#waiting.length > 0 && !this.#closing.signal.aborted)
        await this.#runBatch(this.#takeBatch());
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
    const prepared = await this.#prepare(batch, batchUid);
    // Interrupted by `close`: the next start repeats it.
    if (prepared === null) return;
    const finished = batch.map((item, at) =>
      finishTask(item.task, prepared.outcomes[at]!, started, this.#options.clock()),
    );
    const forgotten = this.#oldest(batch);
    const { changes = [], rules = [] } = prepared;
    if (!(await this.#commit({ tasks: finished, changes, rules, forgotten }))) return;
    prepared.apply?.();
    batch.forEach(({ task }, at) => Object.assign(task, finished[at]!));
    this.#options.onFinished?.(finished);
    for (const uid of forgotten) this.#tasks.delete(uid);
    await this.#options.runner.cleanUp?.(batch);
  }

  /** null: the queue was closed meanwhile, which may be why it failed. */
  async #prepare(batch: QueuedTask<Work>[], batchUid: number): Promise<PreparedBatch | null> {
    try {
      return await this.#options.runner.prepare(batch, batchUid);
    } catch (thrown) {
      if (this.#closing.signal.aborted) return null;
      const cause = asStorageError(thrown);
      if (!(cause instanceof ApiError) || cause.status >= 500) this.#options.onError?.(thrown);
      const error =
        cause instanceof ApiError
          ? cause
          : new ApiError(
              "internal",
              `The task failed: ${cause instanceof Error ? cause.message : String(cause)}`,
            );
      return { outcomes: batch.map(() => ({ error })) };
    }
  }

  /** Retries until the disk takes it: prepared work is complete, and nothing else may run before it. */
  async #commit(done: Omit<FinishedBatch, "nextBatch">): Promise<boolean> {
    for (;;) {
      try {
        this.#options.catalog.finish({ ...done, nextBatch: this.#nextBatch });
        this.#refusal = null;
        return true;
      } catch (error) {
        if (this.#refusal === null) this.#options.onError?.(error);
        this.#refusal = error;
        const wasClosed = await this.#options.pause(this.#closing.signal).then(
          () => false,
          () => true,
        );
        if (wasClosed) return false;
      }
    }
  }

  /** The oldest tasks, which are too many to keep once this batch is finished. */
  #oldest(batch: readonly QueuedTask<Work>[]): number[] {
    const tooMany = this.#tasks.size - this.#waiting.length - this.#options.finishedTasks;
    const finishing = new Set(batch.map(({ task }) => task.uid));
    const oldest: number[] = [];
    for (const [uid, task] of this.#tasks) {
      if (oldest.length >= tooMany) break;
      if (task.finishedAt || finishing.has(uid)) oldest.push(uid);
    }
    return oldest;
  }
}
