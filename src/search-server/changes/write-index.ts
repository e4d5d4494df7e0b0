/** The next state of one index: built by the worker thread, then written as a new file. */
import type { IndexSettings } from "#search/index.ts";
import type { IndexBuilder } from "./builder.ts";
import type { IndexChange } from "../catalog/catalog.ts";
import type { ContentState } from "./content-state.ts";
import { ApiError } from "../protocol/errors.ts";
import type { ProtocolSettings } from "../settings/json.ts";
import type { StoredIndex } from "../catalog/store.ts";
import type { PreparedBatch } from "./task-runner.ts";

export interface Place {
  batchUid: number;
  /** The last task of the batch. */
  task: number;
}

export interface NextIndex {
  uid: string;
  current: StoredIndex | null;
  settings: IndexSettings;
  changes: Parameters<IndexBuilder["build"]>[0]["changes"];
  place: Place;
}

/** One build in the worker thread; its result is not served before its batch is committed. */
export async function buildNext(state: ContentState, next: NextIndex): Promise<PreparedBatch> {
  const { uid, current, settings, changes, place } = next;
  const before: ProtocolSettings = current?.protocol ?? {};
  const request = { bytes: current?.bytes ?? null, settings, protocol: before, changes };
  const built = await state.builder
    .build(request, (progress) => (state.progress = progress))
    .finally(() => (state.progress = null));
  const outcomes = built.outcomes.map(({ details, error }) => ({
    details,
    ...(error && { error: new ApiError(error.code, error.message) }),
  }));
  const bytes = built.bytes ?? current?.bytes;
  if (!bytes || (!built.bytes && JSON.stringify(before) === JSON.stringify(built.protocol)))
    return { outcomes };
  const updatedAt = state.clock();
  const info = { createdAt: current?.createdAt ?? updatedAt, updatedAt, protocol: built.protocol };
  const opened = state.store.open(uid, bytes, info);
  const change = await writeIndex(state, opened, place);
  return { outcomes, changes: [change], apply: () => state.store.put(opened) };
}

/** @throws the system's error; then nothing is left behind */
export async function writeIndex(
  { files }: ContentState,
  stored: StoredIndex,
  place: Place,
): Promise<IndexChange> {
  const { uid, createdAt, updatedAt, protocol } = stored;
  const file = (await files?.write({ ...stored, task: place.task }, place.batchUid)) ?? "";
  return { kind: "put", index: { uid, file, createdAt, updatedAt, protocol } };
}
