import type { WriteOutcome } from "./messages.ts";

export interface StoreTally {
  /** Transactions sent to the database. */
  batches: number;
  dropped: number;
  /** Null again after a successful write. */
  lastError: string | null;
}

/** None of the rows are in the database: their sender learns this, and sends them again. */
export interface NotKept {
  isKept: false;
  reason: string;
  isDiskFull: boolean;
}

export type Kept = { isKept: true } | NotKept;

/** Counts the results of writing, and turns the thread's answers into those for senders. */
export interface Tally {
  addBatch: () => void;
  fail: (message: string) => void;
  drop: (rows: number, reason: string, isDiskFull?: boolean) => NotKept;
  settle: (outcome: WriteOutcome) => Kept;
  status: () => StoreTally;
}

export function createTally(): Tally {
  const status: StoreTally = { batches: 0, dropped: 0, lastError: null };
  function drop(rows: number, reason: string, isDiskFull = false): NotKept {
    status.dropped += rows;
    status.lastError = reason;
    return { isKept: false, reason, isDiskFull };
  }
  return {
    addBatch: () => void (status.batches += 1),
    fail: (message) => void (status.lastError = message),
    drop,
    settle({ dropped, reason, isDiskFull }) {
      if (reason !== null) return drop(dropped, reason, isDiskFull);
      status.lastError = null;
      return { isKept: true };
    },
    status: () => ({ ...status }),
  };
}
