import { sizeOf } from "../contract/budgets.ts";
import type { WriteRequest } from "./messages.ts";
import type { Kept } from "./tally.ts";

/** Rows that wait for the next transaction, and the senders that wait for its outcome. */
export interface PendingBatch {
  readonly request: WriteRequest;
  readonly rows: number;
  /** The approximate memory of its rows. */
  readonly bytes: number;
  /** Whether a sender waits for the outcome. */
  readonly isAwaited: boolean;
  add: (request: WriteRequest) => void;
  outcome: () => Promise<Kept>;
  settle: (outcome: Kept) => void;
}

export function createPendingBatch(first: WriteRequest = {}): PendingBatch {
  const request: WriteRequest = {};
  let rows = 0;
  let bytes = 0;
  let awaited: PromiseWithResolvers<Kept> | null = null;

  function add(more: WriteRequest): void {
    for (const [name, list] of Object.entries(more)) {
      // Each name has its own kind of rows, which are added to the rows of the same name.
      const lists = request as { [name: string]: object[] };
      const target = (lists[name] ??= []);
      for (const row of list) {
        target.push(row);
        bytes += sizeOf(row);
      }
      rows += list.length;
    }
  }

  add(first);
  return {
    request,
    get rows() {
      return rows;
    },
    get bytes() {
      return bytes;
    },
    get isAwaited() {
      return awaited !== null;
    },
    add,
    outcome: () => (awaited ??= Promise.withResolvers<Kept>()).promise,
    settle: (outcome) => awaited?.resolve(outcome),
  };
}
