import type { Payload } from "./payload-store.ts";
import type { ApiError, ErrorBody } from "../protocol/errors.ts";

export type TaskStatus = "enqueued" | "processing" | "succeeded" | "failed" | "canceled";

/** Meilisearch's names, including those of tasks that this server does not have: clients filter by them. */
export const TASK_TYPES = [
  "documentAdditionOrUpdate",
  "documentEdition",
  "documentDeletion",
  "settingsUpdate",
  "indexCreation",
  "indexDeletion",
  "indexUpdate",
  "indexSwap",
  "taskCancelation",
  "taskDeletion",
  "dumpCreation",
  "snapshotCreation",
  "export",
  "upgradeDatabase",
  "indexCompaction",
  "networkTopologyChange",
  "dsrUpdate",
  "dsrClear",
] as const;

export type TaskType = (typeof TASK_TYPES)[number];

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

/** The outcome of one task of a batch. */
export interface TaskOutcome {
  details?: { [name: string]: unknown };
  error?: ApiError;
}

export interface NewTask<Work> {
  indexUid: string | null;
  type: TaskType;
  details?: { [name: string]: unknown };
  customMetadata?: string;
  work: Work;
  payload?: Payload;
}

/** A task before it has its number. @param enqueuedAt ISO 8601 */
export function newTask(added: NewTask<unknown>, enqueuedAt: string): Omit<Task, "uid"> {
  return {
    batchUid: null,
    indexUid: added.indexUid,
    status: "enqueued",
    type: added.type,
    canceledBy: null,
    details: added.details ?? {},
    error: null,
    duration: null,
    enqueuedAt,
    startedAt: null,
    finishedAt: null,
    ...(added.customMetadata !== undefined && { customMetadata: added.customMetadata }),
  };
}

/** A copy of a running task with its outcome. */
export function finishTask(task: Task, { details, error }: TaskOutcome, started: Date, finished: Date): Task {
  return {
    ...task,
    details: { ...task.details, ...details },
    status: error ? "failed" : "succeeded",
    error: error?.body() ?? null,
    finishedAt: finished.toISOString(),
    duration: `PT${(finished.getTime() - started.getTime()) / 1000}S`,
  };
}
