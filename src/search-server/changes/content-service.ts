/**
 * Changes to indexes. Every change is a task; it is on disk, with everything that was sent, before its number
 * is given to anyone. decisions/010-index-catalog.md says how files, catalog and memory stay consistent.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeFolder } from "#platform/files/durable.ts";
import { type BuildProgress, createIndexBuilder } from "./builder.ts";
import { Catalog } from "../catalog/catalog.ts";
import { IndexFiles } from "../catalog/index-files.ts";
import { type IndexProblem, loadIndexes } from "./load-indexes.ts";
import { CATALOG_FILE, PAYLOAD_FOLDER } from "../catalog/named-files.ts";
import { openCatalogFile } from "../catalog/open-catalog-file.ts";
import { PayloadStore } from "../catalog/payload-store.ts";
import { createFeatures, type Features } from "./features.ts";
import type { ContentState, ContentWork } from "./content-state.ts";
import { createTaskRunner } from "./content-tasks.ts";

import { ApiError } from "../protocol/errors.ts";
import { DEFAULT_LIMITS, type SearchLimits } from "../protocol/limits.ts";
import { type IndexChangeRequest, takeChange } from "./intake.ts";
import { createPayloadChecker } from "../payloads/checker.ts";

import { asStorageError } from "../protocol/storage-errors.ts";
import type { SearchStore } from "../catalog/store.ts";
import type { NewTask, Task } from "../catalog/task.ts";
import { readTaskDocuments, type TaskDocuments } from "./task-documents.ts";
import { createRuleBook, type RuleBook } from "./rule-book.ts";
import { TaskQueue } from "./task-queue.ts";

export interface ContentService {
  readonly tasks: TaskQueue<ContentWork>;
  /** Stores a task without a body. @throws ApiError */
  enqueue: (task: NewTask<ContentWork>) => Promise<Task>;
  /** Accepts a change with its body: checked, stored, then done in its turn. @throws ApiError */
  change: (request: IndexChangeRequest) => Promise<Task>;
  /** @throws ApiError for the site's own or an unusable index; called before a body is read */
  checkWritable: (uids: readonly string[]) => void;
  /** Whether an index is one that clients made: lists leave out the site's own, which no client can delete. */
  isListed: (uid: string) => boolean;
  /** The experimental features that clients switch; they survive a restart. */
  readonly features: Features;
  /** Dynamic search rules; tasks change them. */
  readonly rules: Pick<RuleBook, "list" | "get">;
  /** The documents of an unfinished task, as NDJSON; null if it has none. @throws ApiError for too many */
  documentsOf: (task: number) => Promise<TaskDocuments | null>;
  /** The progress of the running build. */
  progress: () => BuildProgress | null;
  /** Whether something needs the operator: an unusable index, a disk that refuses writes. */
  readonly isDegraded: boolean;
  /** Files that the start found but does not serve, and why. */
  readonly problems: IndexProblem[];
  /** Leaves a running build to the next start, then ends the threads. */
  close: () => Promise<void>;
}

export interface ContentServiceOptions {
  store: SearchStore;
  /** Folder of the indexes; null keeps them in memory only. */
  dataDir: string | null;
  /** The indexes that the site makes from its pages; nothing else may change them. */
  builtInIndexes?: readonly string[];
  clock?: () => Date;
  limits?: Partial<SearchLimits>;
  /** The pause between two attempts to commit on a failing disk; default 5 s. */
  pause?: (signal: AbortSignal) => Promise<void>;
  onError?: (error: unknown) => void;
  /** Called with tasks that are done. Must not fail. */
  onFinished?: (tasks: readonly Task[]) => void;
}

const RETRY_MS = 5000;

/**
 * Serves the indexes in `dataDir`, continues the tasks that wait there, then accepts changes.
 * @throws Error when another process uses the folder or a newer version wrote its catalog; the system's
 * error
 */
export async function openContentService(options: ContentServiceOptions): Promise<ContentService> {
  const { store, dataDir, builtInIndexes = [], onError = () => {} } = options;
  const builtIn = new Set(builtInIndexes);
  const clock = options.clock ?? (() => new Date());
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const payloads = new PayloadStore(dataDir === null ? null : join(dataDir, PAYLOAD_FOLDER), limits);
  const { catalog, files, lost } = await openFolder(dataDir, clock());
  const builder = createIndexBuilder();
  const problems: IndexProblem[] = lost ? [lost] : [];
  const checkWritable = createWriteCheck(store, builtIn);
  const state: ContentState = {
    store,
    catalog,
    files,
    payloads,
    builder,
    rules: createRuleBook({ catalog, store, builtIn, clock }),
    clock,
    limits,
    checkWritable,
    onError,
    progress: null,
  };
  state.rules.serve();
  try {
    problems.push(...(await takeUp(state, builtIn, lost !== null)));
  } catch (error) {
    await builder.close();
    catalog.close();
    throw error;
  }
  const tasks = createTasks(state, options);
  tasks.start();
  const features = createFeatures(catalog, state.rules.serve);
  const checker = createPayloadChecker(limits.taskDetailsLength);
  return {
    tasks,
    problems,
    checkWritable,
    enqueue: (task) => enqueue(tasks, checkWritable, task),
    change: (request) => takeChange({ tasks, payloads, checker, checkWritable, features, limits }, request),
    isListed: (uid) => !builtIn.has(uid),
    features,
    rules: state.rules,
    documentsOf: (task) => readTaskDocuments(state, task),
    progress: () => state.progress,
    get isDegraded() {
      return store.unusable().length > 0 || tasks.isStuck;
    },
    async close() {
      const closing = tasks.close();
      await Promise.all([builder.close(), checker.close()]);
      await closing;
      catalog.close();
    },
  };
}

/** Serves the indexes found, and keeps the bodies of waiting tasks. @returns the indexes that are not served */
async function takeUp(
  { catalog, files, store, builder, payloads, clock }: ContentState,
  builtIn: ReadonlySet<string>,
  isRecovering: boolean,
): Promise<IndexProblem[]> {
  const problems = files
    ? await loadIndexes({ catalog, files, store, builder, builtIn, clock, isRecovering })
    : [];
  const waiting = catalog.waiting().map(({ payload }) => payload);
  const needed = new Set(waiting.flatMap(({ file }) => file ?? []));
  await payloads.open(
    needed,
    waiting.reduce((sum, { size }) => sum + size, 0),
  );
  return problems;
}

function createTasks(
  state: ContentState,
  {
    pause = (signal) => sleep(RETRY_MS, undefined, { signal, ref: false }),
    onFinished,
  }: Pick<ContentServiceOptions, "pause" | "onFinished">,
): TaskQueue<ContentWork> {
  const { catalog, clock, limits, onError } = state;
  return new TaskQueue<ContentWork>({
    catalog,
    runner: createTaskRunner(state),
    clock,
    waitingTasks: limits.waitingTasks,
    finishedTasks: limits.finishedTasks,
    pause,
    onError,
    ...(onFinished && { onFinished }),
  });
}

async function openFolder(dataDir: string | null, now: Date) {
  if (dataDir !== null) await makeFolder(dataDir);
  const file = dataDir === null ? null : join(dataDir, CATALOG_FILE);
  const { db, setAside } = openCatalogFile(file, now);
  const reason =
    `The catalog was damaged and is kept as ${setAside?.path}. ` +
    "The indexes are restored from their own files; waiting tasks and dynamic search rules are lost.";
  return {
    catalog: new Catalog(db),
    files: dataDir === null ? null : new IndexFiles(dataDir),
    lost: file === null || setAside === null ? null : { file, reason },
  };
}

function createWriteCheck(store: SearchStore, builtIn: ReadonlySet<string>): ContentState["checkWritable"] {
  return (uids, mayBeUnusable = false) => {
    for (const uid of uids) {
      if (builtIn.has(uid)) {
        throw new ApiError(
          "index_built_in",
          `Index \`${uid}\` is built from the site's pages and changes only with them. Use an index with another name.`,
        );
      }
      const unusable = mayBeUnusable ? undefined : store.unusable().find((index) => index.uid === uid);
      if (unusable) throw new ApiError("index_unusable", unusable.reason);
    }
  };
}

async function enqueue(
  tasks: TaskQueue<ContentWork>,
  checkWritable: ContentState["checkWritable"],
  task: NewTask<ContentWork>,
): Promise<Task> {
  const uids = task.work.kind === "swap" ? task.work.pairs.flat() : [];
  if (task.work.kind === "rename") uids.push(task.work.to);
  if (task.indexUid !== null) uids.push(task.indexUid);
  checkWritable(uids, task.work.kind === "deleteIndex");
  try {
    return tasks.enqueue(task);
  } catch (error) {
    throw asStorageError(error);
  }
}
