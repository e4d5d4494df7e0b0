/** Messages between the routes' thread and the database's thread. */
import type { ForwardConfig } from "../contract/config.ts";
import type { TelemetryLimits } from "../contract/limits.ts";
import type { RefusalReason } from "../contract/refusal.ts";
import type { Retention } from "../store/retention.ts";
import type { Batch } from "../store/write-batch.ts";
import type { ErrorReport } from "../contract/types.ts";
import type { RequestName } from "./requests.ts";

export interface StoreThreadOptions {
  file: string;
  retention: Retention;
  forward: ForwardConfig;
  /** The folder with the client's source maps; null: frames stay as sent. */
  sourceMaps: string | null;
  /** The repository's folder. Frames of the server's own errors are named relative to it. */
  root: string;
  /** The file that held readers' answers before there was a database. It is read once; null: it does not exist. */
  formerFeedback: string | null;
  limits: TelemetryLimits;
}

export type StoreMessage =
  | { kind: "write"; id: number; request: WriteRequest }
  | { kind: "snapshots"; id: number; body: Uint8Array; at: number }
  | { kind: "ask"; id: number; name: RequestName; params: unknown }
  | { kind: "close"; id: number };

export type StoreAnswer =
  | { kind: "done"; id: number; result: unknown }
  | { kind: "failed"; id: number; message: string }
  | { kind: "log"; line: string };

/** Rows from the routes: errors are not mapped to the source yet. */
export type WriteRequest = Omit<Partial<Batch>, "errors"> & { reports?: ErrorReport[] };

export interface WriteOutcome {
  /** Rows that were not written: all or none. Duplicates and rows of readers who have just erased their data do not count. */
  dropped: number;
  reason: string | null;
  isDiskFull: boolean;
}

/** Answers a `snapshots` message. */
export type SnapshotAnswer =
  | { refused: string; reason: RefusalReason }
  | (WriteOutcome & { accepted: number; /** Approximate size of the rows. */ bytes: number });
