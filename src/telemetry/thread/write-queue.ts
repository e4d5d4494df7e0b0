import type { TelemetryLimits } from "../contract/limits.ts";
import type { DatabaseThread } from "./database-thread.ts";
import type { WriteOutcome, WriteRequest } from "./messages.ts";
import { createPendingBatch, type PendingBatch } from "./pending-batch.ts";
import type { Kept, NotKept, Tally } from "./tally.ts";

/** Rows whose sender does not wait for the outcome are held this long, so that other rows go to the database with them. */
const BATCH_MS = 25;
/** A batch of this size is sent immediately. */
const ROWS_PER_BATCH = 500;
const BYTES_PER_BATCH = 1_000_000;

export interface WriteQueue {
  write: (request: WriteRequest) => Promise<Kept>;
  count: (request: WriteRequest) => void;
  /** Reserves room for bytes that go to the thread separately; false when there is no room. */
  reserve: (bytes: number) => boolean;
  release: (bytes: number) => void;
  flush: () => Promise<void>;
  /** Rows that wait, and rows that the thread has not answered. */
  rows: () => number;
  close: () => Promise<void>;
}

export interface WriteQueueOptions {
  thread: Pick<DatabaseThread, "post">;
  tally: Tally;
  limits: TelemetryLimits;
  log: (line: string) => void;
}

/** Gathers rows into batches. Each batch is one transaction of the database. */
export function createWriteQueue({ thread, tally, limits, log }: WriteQueueOptions): WriteQueue {
  const sender = createSender(thread, tally);
  const { flying, send } = sender;
  let isClosed = false;

  const rows = () => sender.pending().rows + flying.rows();
  const noteFull = createFullNotice(log);
  function hasRoom(bytes: number): boolean {
    const queuedBytes = sender.pending().bytes + flying.bytes() + bytes;
    const isFull = rows() >= limits.queuedRows || queuedBytes > limits.queuedBytes;
    noteFull(isFull);
    return !isFull && !isClosed;
  }

  function add(request: WriteRequest): NotKept | null {
    if (!hasRoom(0)) return tally.drop(createPendingBatch(request).rows, "The queue is full.");
    sender.pending().add(request);
    return null;
  }

  async function flush(): Promise<void> {
    send();
    await flying.landed();
  }

  return {
    async write(request) {
      const refused = add(request);
      if (refused) return refused;
      const outcome = sender.pending().outcome();
      // Rows of the same turn of the event loop are sent together. While a batch is being written, all others wait for its end.
      if (isLarge(sender.pending())) send();
      else if (flying.isEmpty()) setImmediate(() => flying.isEmpty() && send());
      return outcome;
    },
    count(request) {
      if (add(request)) return;
      if (isLarge(sender.pending())) send();
      else sender.sendSoon();
    },
    reserve(bytes) {
      if (!hasRoom(bytes)) return false;
      flying.addBytes(bytes);
      return true;
    },
    release: (bytes) => flying.addBytes(-bytes),
    flush,
    rows,
    async close() {
      await flush();
      isClosed = true;
    },
  };
}

function isLarge({ rows, bytes }: PendingBatch): boolean {
  return rows >= ROWS_PER_BATCH || bytes >= BYTES_PER_BATCH;
}

/** The batch that is gathering rows, and batches that are being written. */
function createSender(thread: WriteQueueOptions["thread"], tally: Tally) {
  let pending = createPendingBatch();
  const flying = createFlights();
  let timer: NodeJS.Timeout | null = null;

  /** Sends the waiting rows as one batch. */
  function send(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (pending.rows === 0) return;
    const batch = pending;
    pending = createPendingBatch();
    tally.addBatch();
    const outcome = thread.post({ kind: "write", request: batch.request }).then(
      // The thread answers a batch with its outcome.
      (answer) => tally.settle(answer as WriteOutcome),
      (error: unknown) => tally.drop(batch.rows, error instanceof Error ? error.message : String(error)),
    );
    flying.add(batch, outcome, () => {
      // Rows that arrived in the meantime have waited long enough. So the busier the database is, the larger its batches are.
      if (pending.isAwaited) send();
    });
  }

  return {
    flying,
    send,
    pending: () => pending,
    sendSoon: () => void (timer ??= setTimeout(send, BATCH_MS)),
  };
}

/** Logs that the queue is full, once while this lasts. */
function createFullNotice(log: (line: string) => void): (isFull: boolean) => void {
  let isLogged = false;
  return (isFull) => {
    if (isFull && !isLogged)
      log("Telemetry: the queue is full, so rows are rejected. Pages are not affected.");
    isLogged = isFull;
  };
}

/** Batches, and bytes of recordings, that the thread has not answered. */
function createFlights() {
  const flights = new Set<Promise<void>>();
  let rows = 0;
  let bytes = 0;
  return {
    rows: () => rows,
    bytes: () => bytes,
    isEmpty: () => flights.size === 0,
    addBytes: (count: number) => void (bytes += count),
    landed: async () => void (await Promise.all(flights)),
    add(batch: PendingBatch, outcome: Promise<Kept>, onLanded: () => void): void {
      rows += batch.rows;
      bytes += batch.bytes;
      const flight = outcome.then((kept) => {
        flights.delete(flight);
        rows -= batch.rows;
        bytes -= batch.bytes;
        batch.settle(kept);
        onLanded();
      });
      flights.add(flight);
    },
  };
}
