/**
 * Runs tasks on indexes. A batch of changes to one index is one build in the worker thread and one new
 * file; the catalog then points to it, and only then the store serves it. If an earlier step fails,
 * everything stays as it was.
 */
import type { IndexSettings } from "#search/index.ts";
import type { IndexChange } from "../catalog/catalog.ts";
import type { ChangeWork } from "./change-work.ts";
import type { ContentState, ContentWork } from "./content-state.ts";
import { ApiError, indexNotFound } from "../protocol/errors.ts";
import { newIndexSettings } from "../settings/defaults.ts";
import type { StoredIndex } from "../catalog/store.ts";
import type { PreparedBatch, QueuedTask, TaskRunner } from "./task-runner.ts";
import { buildNext, type Place, writeIndex } from "./write-index.ts";

type Queued = QueuedTask<ContentWork>;

export function createTaskRunner(state: ContentState): TaskRunner<ContentWork> {
  /** Files that the prepared batch replaces. */
  let replaced: string[] = [];
  return {
    canJoin: (batch, next) => canJoin(batch, next, state.limits.batchPayloadBytes),
    async prepare(batch, batchUid) {
      const prepared = await prepareBatch(state, batch, batchUid);
      replaced = filesReplaced(state, prepared.changes ?? []);
      return prepared;
    },
    async cleanUp(tasks) {
      const [files, hadFormerName] = [replaced, state.catalog.removals().length > 0];
      replaced = [];
      try {
        for (const file of files) await state.files?.remove(file);
        if (hadFormerName) state.catalog.forgetRemovals();
      } catch (error) {
        // The next start finds them again.
        state.onError(error);
      }
      for (const { payload } of tasks) await state.payloads.discard(payload);
    },
  };
}

function filesReplaced({ catalog }: ContentState, changes: readonly IndexChange[]): string[] {
  const uids = new Set(changes.map((change) => (change.kind === "put" ? change.index.uid : change.uid)));
  return catalog.indexes().flatMap(({ uid, file }) => (uids.has(uid) ? [file] : []));
}

/** Changes of one index run together unless one of them might have to create it in between. */
function canJoin(batch: readonly Queued[], next: Queued, maximumBytes: number): boolean {
  const first = batch[0]!;
  if (first.work.kind !== "change" || next.work.kind !== "change") return false;
  // A filter is applied to the index as it is at its task's turn.
  if (next.work.change.kind === "deleteFilter" || first.task.indexUid !== next.task.indexUid) return false;
  if (batch.reduce((sum, { payload }) => sum + payload.size, next.payload.size) > maximumBytes) return false;
  return mayCreate(first.work.change) === mayCreate(next.work.change);
}

function mayCreate(change: ChangeWork): boolean {
  const { kind } = change;
  return (kind === "replace" || kind === "update" || kind === "settings") && change.mayCreate !== false;
}

async function prepareBatch(
  state: ContentState,
  batch: readonly Queued[],
  batchUid: number,
): Promise<PreparedBatch> {
  const { task, work } = batch[0]!;
  // Checked again: the server may have been restarted with another configuration since the task was enqueued.
  if (task.indexUid !== null) state.checkWritable([task.indexUid], work.kind === "deleteIndex");
  const place = { batchUid, task: batch.at(-1)!.task.uid };
  switch (work.kind) {
    case "report":
      return { outcomes: [{}] };
    case "createIndex":
      return createIndex(state, task.indexUid!, work.primaryKey, place);
    case "deleteIndex":
      return deleteIndex(state, task.indexUid!);
    case "swap":
      return swapIndexes(state, work, place);
    case "changeRule":
    case "removeRule":
    case "clearRules":
      return state.rules.prepare(work);
    case "rename":
      return renameIndex(state, task.indexUid!, work, place);
    default:
      return rebuild(state, task.indexUid!, batch, place);
  }
}

function createIndex(
  state: ContentState,
  uid: string,
  primaryKey: string | null,
  place: Place,
): Promise<PreparedBatch> {
  if (state.store.get(uid)) {
    throw new ApiError("index_already_exists", `Index \`${uid}\` already exists.`);
  }
  const settings = { ...newIndexSettings(), primaryKey: primaryKey ?? "" };
  return buildNext(state, { uid, current: null, settings, changes: [], place }).then((prepared) => ({
    ...prepared,
    outcomes: [{}],
  }));
}

function deleteIndex({ store }: ContentState, uid: string): PreparedBatch {
  const isUnusable = store.unusable().some((index) => index.uid === uid);
  const deletedDocuments = isUnusable ? 0 : store.require(uid).index.documentCount;
  return {
    outcomes: [{ details: { deletedDocuments } }],
    changes: [{ kind: "remove", uid }],
    apply: () => void store.remove(uid),
  };
}

/**
 * Every index gets a new file with its new name, so that files name their index; one commit exchanges all.
 */
async function swapIndexes(
  state: ContentState,
  { pairs, renamed = [] }: Extract<ContentWork, { kind: "swap" }>,
  place: Place,
): Promise<PreparedBatch> {
  state.checkWritable(pairs.flat());
  const next: StoredIndex[] = [];
  const removed: string[] = [];
  for (const [at, [first, second]] of pairs.entries()) {
    next.push({ ...state.store.require(first), uid: second });
    if (renamed[at]) {
      checkFree(
        state,
        second,
        `Cannot rename \`${first}\` to \`${second}\`: index \`${second}\` already exists.`,
      );
      removed.push(first);
    } else next.push({ ...state.store.require(second), uid: first });
  }
  const changes: IndexChange[] = [];
  for (const stored of next) changes.push(await writeIndex(state, stored, place));
  return {
    outcomes: [{}],
    changes: [...changes, ...removed.map((uid): IndexChange => ({ kind: "remove", uid }))],
    apply() {
      state.store.put(...next);
      for (const uid of removed) state.store.remove(uid);
    },
  };
}

/** A new file under the new name replaces the old one in one commit; perhaps with another primary key. */
async function renameIndex(
  state: ContentState,
  from: string,
  { to, primaryKey }: Extract<ContentWork, { kind: "rename" }>,
  place: Place,
): Promise<PreparedBatch> {
  state.checkWritable([to]);
  const current = state.store.require(from);
  checkFree(state, to, `Index \`${to}\` already exists.`);
  const { settings } = current.index;
  if (primaryKey === null || primaryKey === settings.primaryKey) {
    return swapIndexes(state, { kind: "swap", pairs: [[from, to]], renamed: [true] }, place);
  }
  const changes = [{ work: { kind: "primaryKey" as const, primaryKey }, payload: null }];
  const built = await buildNext(state, { uid: to, current, settings, changes, place });
  if (!built.apply) return built;
  return {
    ...built,
    changes: [...(built.changes ?? []), { kind: "remove", uid: from }],
    apply() {
      built.apply!();
      state.store.remove(from);
    },
  };
}

/** @throws ApiError */
function checkFree({ store }: ContentState, uid: string, message: string): void {
  if (store.list().some((index) => index.uid === uid)) throw new ApiError("index_already_exists", message);
}

async function rebuild(
  state: ContentState,
  uid: string,
  batch: readonly Queued[],
  place: Place,
): Promise<PreparedBatch> {
  const current = state.store.get(uid) ?? null;
  const changes = batch.map(({ task, work }) => {
    if (work.kind !== "change") throw new Error(`A ${work.kind} task cannot be part of a build.`);
    const source = state.catalog.payloadOf(task.uid);
    return { work: work.change, payload: source && state.payloads.locate(source) };
  });
  if (!current && !mayCreate(changes[0]!.work)) throw indexNotFound(uid);
  const settings: IndexSettings = current?.index.settings ?? newIndexSettings();
  return buildNext(state, { uid, current, settings, changes, place });
}
