import type { RefusalReason } from "../contract/refusal.ts";
import { startDatabaseThread } from "./database-thread.ts";
import type { SnapshotAnswer, StoreThreadOptions, WriteRequest } from "./messages.ts";
import type { RequestName, RequestParams, RequestResult } from "./requests.ts";
import { createTally, type Kept, type NotKept, type StoreTally } from "./tally.ts";
import { createWriteQueue } from "./write-queue.ts";

export type SnapshotOutcome =
  | { isKept: true; accepted: number; /** Approximate size of the rows. */ bytes: number }
  | NotKept
  | { refused: string; reason: RefusalReason };

export interface TelemetryStore {
  /**
   * Takes rows for the next batch. Resolves after its commit, so that stored rows survive the end of the process; never
   * rejects.
   */
  write: (request: WriteRequest) => Promise<Kept>;
  /** The same for rows whose sender does not learn the outcome: they may wait for others, and are counted when dropped. */
  count: (request: WriteRequest) => void;
  /** Parts of a recording as sent, inflated; parsed by the database's thread. The bytes are transferred to it. */
  writeSnapshots: (body: Uint8Array<ArrayBuffer>, at: number) => Promise<SnapshotOutcome>;
  /** @throws Error when the database does not answer. */
  ask: <Name extends RequestName>(name: Name, params: RequestParams<Name>) => Promise<RequestResult<Name>>;
  /** Resolves when everything written before is in the database, or was dropped. */
  flush: () => Promise<void>;
  status: () => StoreTally & { /** Rows that wait. */ queued: number };
  /** Ends the database's thread like a failure; it is then restarted. For tests. */
  endThread: () => Promise<void>;
  close: () => Promise<void>;
}

export interface TelemetryStoreOptions extends StoreThreadOptions {
  log: (line: string) => void;
}

/** The database's thread as the routes see it: a bounded queue that never blocks and never throws at a reader. */
export function openTelemetryStore({ log, ...options }: TelemetryStoreOptions): TelemetryStore {
  const tally = createTally();
  const thread = startDatabaseThread({ thread: options, onFailure: tally.fail, log });
  const queue = createWriteQueue({ thread, tally, limits: options.limits, log });
  let closing: Promise<void> | null = null;

  async function end(): Promise<void> {
    await queue.close();
    await thread.post({ kind: "close" }).catch(() => {});
    await thread.close();
  }

  async function writeSnapshots(body: Uint8Array<ArrayBuffer>, at: number): Promise<SnapshotOutcome> {
    const bytes = body.byteLength;
    if (!queue.reserve(bytes)) return tally.drop(1, "The queue is full.");
    try {
      // A view of part of a shared buffer is copied; a view of a whole buffer is moved.
      const own = bytes === body.buffer.byteLength ? body : body.slice();
      const message = { kind: "snapshots", body: own, at } as const;
      // The thread answers a message of this kind with this type.
      const answer = (await thread.post(message, [own.buffer])) as SnapshotAnswer;
      if ("refused" in answer) return answer;
      const outcome = tally.settle(answer);
      const { accepted, bytes: kept } = answer;
      return outcome.isKept ? { ...outcome, accepted, bytes: kept } : outcome;
    } catch (error) {
      return tally.drop(1, error instanceof Error ? error.message : String(error));
    } finally {
      queue.release(bytes);
    }
  }

  return {
    write: queue.write,
    count: queue.count,
    writeSnapshots,
    // The thread answers a name with that name's result.
    ask: async (name, params) =>
      (await thread.post({ kind: "ask", name, params })) as RequestResult<typeof name>,
    flush: queue.flush,
    status: () => ({ queued: queue.rows(), ...tally.status() }),
    endThread: thread.endThread,
    close: () => (closing ??= end()),
  };
}
