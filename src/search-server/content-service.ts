/**
 * Changes to indexes. Every change is a task; a batch of tasks that change one index is one build in the worker
 * thread, then one file on disk, then one replacement in the store. If a step fails, what was served stays.
 */
import { defaultSettings } from "#search/defaults.ts";
import type { IndexSettings } from "#search/types.ts";
import { type BuildProgress, createIndexBuilder, type IndexBuilder } from "./builder.ts";
import type { DocumentOperation } from "./document-operations.ts";
import { ApiError, indexNotFound } from "./errors.ts";
import { type IndexFiles, openIndexFiles } from "./index-files.ts";
import { DEFAULT_LIMITS, type SearchLimits } from "./limits.ts";
import { applyProtocolSettings, applySettings } from "./settings-json.ts";
import type { SettingsBody } from "./settings-schema.ts";
import type { SearchStore, StoredIndex } from "./store.ts";
import { type NewTask, type QueuedTask, type Task, type TaskOutcome, TaskQueue } from "./task-queue.ts";

export type ContentWork =
  | { kind: "documents"; operation: Exclude<DocumentOperation, { kind: "settings" }>; mayCreate: boolean }
  | { kind: "settings"; body: SettingsBody }
  | { kind: "createIndex"; primaryKey: string | null }
  | { kind: "deleteIndex" }
  | { kind: "swap"; pairs: [string, string][] }
  /** Already done when it was enqueued; the task only reports. */
  | { kind: "report" };

export interface ContentService {
  readonly tasks: TaskQueue<ContentWork>;
  enqueue: (task: NewTask<ContentWork>) => Task;
  /** How far the running build is. */
  progress: () => BuildProgress | null;
  /** Files that were refused at start, and why. */
  readonly problems: { file: string; reason: string }[];
  /** Waits for running tasks, then ends the worker. */
  close: () => Promise<void>;
}

export interface ContentServiceOptions {
  store: SearchStore;
  /** Where indexes are kept, one file each; null keeps them in memory only. */
  dataDir: string | null;
  clock?: () => Date;
  limits?: Partial<SearchLimits>;
  onError?: (error: unknown) => void;
}

/** Serves what is in `dataDir`, then takes changes. */
export async function openContentService(options: ContentServiceOptions): Promise<ContentService> {
  const clock = options.clock ?? (() => new Date());
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const files = options.dataDir === null ? null : openIndexFiles(options.dataDir);
  const problems = files ? await loadFiles(options.store, files) : [];
  const builder = createIndexBuilder();
  const state: RunState = { store: options.store, files, builder, clock, progress: null };
  const tasks = new TaskQueue<ContentWork>({
    runner: { canJoin, run: (batch) => runBatch(state, batch) },
    clock,
    waitingTasks: limits.waitingTasks,
    finishedTasks: limits.finishedTasks,
    ...(options.onError && { onError: options.onError }),
  });
  return {
    tasks,
    problems,
    enqueue: (task) => tasks.enqueue(task),
    progress: () => state.progress,
    async close() {
      await tasks.settled();
      await builder.close();
    },
  };
}

async function loadFiles(store: SearchStore, files: IndexFiles) {
  const { indexes, problems } = await files.readAll();
  for (const stored of indexes) {
    try {
      store.replace(stored.uid, stored.bytes, stored);
    } catch (error) {
      problems.push({ file: stored.uid, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return problems;
}

interface RunState {
  store: SearchStore;
  files: IndexFiles | null;
  builder: IndexBuilder;
  clock: () => Date;
  progress: BuildProgress | null;
}

type Queued = QueuedTask<ContentWork>;

/** Changes of one index run together as long as none of them may have to create it in between. */
function canJoin(batch: readonly Queued[], next: Queued): boolean {
  const first = batch[0]!;
  // A filter is asked of the index as it is when its task's turn comes.
  if (
    isFilterDeletion(next) ||
    !isBuild(first) ||
    !isBuild(next) ||
    first.task.indexUid !== next.task.indexUid
  )
    return false;
  return mayCreate(first) === mayCreate(next);
}

function isBuild({ work }: Queued): boolean {
  return work.kind === "documents" || work.kind === "settings";
}

function isFilterDeletion({ work }: Queued): boolean {
  return work.kind === "documents" && work.operation.kind === "deleteFilter";
}

function mayCreate({ work }: Queued): boolean {
  return work.kind === "settings" || (work.kind === "documents" && work.mayCreate);
}

async function runBatch(state: RunState, batch: readonly Queued[]): Promise<TaskOutcome[]> {
  const { task, work } = batch[0]!;
  switch (work.kind) {
    case "report":
      return [{}];
    case "createIndex":
      return [await createIndex(state, task.indexUid!, work.primaryKey)];
    case "deleteIndex":
      return [await deleteIndex(state, task.indexUid!)];
    case "swap":
      return [await swapIndexes(state, work.pairs)];
    default:
      return rebuild(state, task.indexUid!, batch);
  }
}

async function createIndex(state: RunState, uid: string, primaryKey: string | null): Promise<TaskOutcome> {
  if (state.store.get(uid)) {
    throw new ApiError("index_already_exists", `Index \`${uid}\` already exists.`);
  }
  const settings = { ...defaultSettings(), primaryKey: primaryKey ?? "" };
  await buildAndServe(state, uid, { current: null, settings, operations: [] });
  return {};
}

async function deleteIndex(state: RunState, uid: string): Promise<TaskOutcome> {
  const deletedDocuments = state.store.require(uid).index.documentCount;
  await state.files?.remove(uid);
  state.store.remove(uid);
  return { details: { deletedDocuments } };
}

async function swapIndexes(state: RunState, pairs: [string, string][]): Promise<TaskOutcome> {
  for (const uid of pairs.flat()) if (!state.store.get(uid)) throw indexNotFound(uid);
  for (const [first, second] of pairs) {
    state.store.swap(first, second);
    await state.files?.write(state.store.require(first));
    await state.files?.write(state.store.require(second));
  }
  return {};
}

async function rebuild(state: RunState, uid: string, batch: readonly Queued[]): Promise<TaskOutcome[]> {
  const current = state.store.get(uid) ?? null;
  if (!current && !mayCreate(batch[0]!)) throw indexNotFound(uid);
  const initial: IndexSettings = current?.index.settings ?? { ...defaultSettings(), primaryKey: "" };
  let settings = initial;
  let protocol = current?.protocol ?? {};
  const operations = batch.map(({ work }): DocumentOperation => {
    if (work.kind === "documents") return work.operation;
    if (work.kind !== "settings") throw new Error(`A ${work.kind} task cannot be part of a build.`);
    settings = applySettings(settings, work.body);
    protocol = applyProtocolSettings(protocol, work.body);
    return { kind: "settings", settings };
  });
  return buildAndServe(state, uid, { current, settings: initial, operations, protocol });
}

async function buildAndServe(
  state: RunState,
  uid: string,
  change: {
    current: StoredIndex | null;
    settings: IndexSettings;
    operations: DocumentOperation[];
    protocol?: StoredIndex["protocol"];
  },
): Promise<TaskOutcome[]> {
  const { current, settings, operations, protocol = {} } = change;
  const request = { bytes: current?.bytes ?? null, settings, operations };
  try {
    const built = await state.builder.build(request, (progress) => (state.progress = progress));
    const { outcomes } = built;
    const bytes = built.bytes ?? current?.bytes;
    const isSame = built.bytes === null && JSON.stringify(current?.protocol) === JSON.stringify(protocol);
    if (bytes && !isSame) await serve(state, { uid, bytes, current, protocol });
    return outcomes.map(({ details, error }) => ({
      details,
      ...(error && { error: new ApiError(error.code, error.message) }),
    }));
  } finally {
    state.progress = null;
  }
}

async function serve(
  state: RunState,
  next: Pick<StoredIndex, "uid" | "bytes" | "protocol"> & { current: StoredIndex | null },
): Promise<void> {
  const { uid, bytes, current, protocol } = next;
  const updatedAt = state.clock();
  const stored = { uid, bytes, createdAt: current?.createdAt ?? updatedAt, updatedAt, protocol };
  // On disk first: what was announced as done must survive a restart.
  await state.files?.write(stored);
  state.store.replace(uid, bytes, stored);
}
