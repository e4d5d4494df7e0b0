import { Worker } from "node:worker_threads";
import type { RefusalReason } from "../ingest/refusal.ts";
import type { TelemetryLimits } from "../limits.ts";
import { createPendingBatch } from "./pending-batch.ts";
import type { RequestName, RequestParams, RequestResult } from "./requests.ts";
import type { WriteOutcome, WriteRequest } from "./store-service.ts";
import type { StoreAnswer, StoreMessage, StoreThreadOptions } from "./worker.ts";

/** Rows that nobody waits for wait this long for others that go to the database with them. */
const batchMilliseconds = 25;
/** A batch that is this large goes at once. */
const rowsPerBatch = 500;
const bytesPerBatch = 1_000_000;
/** A request of the console or of a recording that takes longer is given up. */
const answerMilliseconds = 20_000;
/** A thread that ended is started again, but not in a loop. */
const restartMilliseconds = 1000;

export interface StoreStatus {
  queued: number;
  /** Transactions that were sent to the database. */
  batches: number;
  dropped: number;
  /** Null again as soon as something was written. */
  lastError: string | null;
}

/** Nothing of it is in the database: its sender is told, and sends it again. */
export interface NotKept {
  isKept: false;
  reason: string;
  isDiskFull: boolean;
}

export type Kept = { isKept: true } | NotKept;
export type SnapshotOutcome =
  { isKept: true; accepted: number } | NotKept | { refused: string; reason: RefusalReason };

export interface TelemetryStore {
  /**
   * Takes rows for the next batch. Resolves after its commit, so that what was kept survives the end of the process;
   * never rejects.
   */
  write: (request: WriteRequest) => Promise<Kept>;
  /** The same for rows of which nobody is told anything: they wait a little for others, and are counted when dropped. */
  count: (request: WriteRequest) => void;
  /** Parts of a recording as sent, inflated; parsed by the database's thread. The bytes are moved there. */
  writeSnapshots: (body: Uint8Array<ArrayBuffer>, at: number) => Promise<SnapshotOutcome>;
  /** @throws Error when the database does not answer. */
  ask: <Name extends RequestName>(name: Name, params: RequestParams<Name>) => Promise<RequestResult<Name>>;
  /** Resolves when what was written before is in the database, or was dropped. */
  flush: () => Promise<void>;
  status: () => StoreStatus;
  /** Ends the database's thread as a failure would; it is started again. For tests. */
  endThread: () => Promise<void>;
  close: () => Promise<void>;
}

export interface TelemetryStoreOptions extends StoreThreadOptions {
  limits: TelemetryLimits;
  log: (line: string) => void;
}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/** The database's thread as the routes see it: a bounded queue that never blocks and never throws at a reader. */
export function openTelemetryStore({ log, ...options }: TelemetryStoreOptions): TelemetryStore {
  const { limits } = options;
  const waiting = new Map<number, Waiting>();
  let nextId = 1;
  let pending = createPendingBatch();
  /** Batches that the thread has and has not answered. */
  const flying = new Set<Promise<void>>();
  let flyingRows = 0;
  let flyingBytes = 0;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;
  const status = { batches: 0, dropped: 0, lastError: null as string | null };
  let isFullLogged = false;
  /** Null while a thread that ended has not been started again. */
  let worker: Worker | null = start();

  function start(): Worker {
    const started = new Worker(new URL("./worker.ts", import.meta.url), {
      workerData: options,
      // Three times as much by itself, and it keeps what it had in its worst moment.
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    });
    started.unref();
    started.on("message", onAnswer);
    started.on("error", (error) => {
      status.lastError = messageOf(error);
      log(`Telemetry: the database's thread failed (${status.lastError}) and is started again.`);
    });
    started.once("exit", () => {
      worker = null;
      for (const id of waiting.keys()) settle(id)?.reject(new Error("The database's thread ended."));
      if (isClosed) return;
      setTimeout(() => {
        if (!isClosed) worker = start();
      }, restartMilliseconds).unref();
    });
    return started;
  }

  function settle(id: number): Waiting | undefined {
    const entry = waiting.get(id);
    waiting.delete(id);
    if (entry) clearTimeout(entry.timer);
    return entry;
  }

  function onAnswer(answer: StoreAnswer): void {
    if (answer.kind === "log") return log(answer.line);
    const entry = settle(answer.id);
    if (answer.kind === "done") entry?.resolve(answer.result);
    else entry?.reject(new Error(answer.message));
  }

  function post(message: PartialMessage, transfer: ArrayBuffer[] = []): Promise<unknown> {
    if (!worker) return Promise.reject(new Error("The database's thread is being started again."));
    const target = worker;
    const id = nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        settle(id)?.reject(new Error("The database does not answer."));
      }, answerMilliseconds);
      timer.unref();
      waiting.set(id, { resolve, reject, timer });
      target.postMessage({ ...message, id }, transfer);
    });
  }

  function drop(rows: number, reason: string, isDiskFull = false): NotKept {
    status.dropped += rows;
    status.lastError = reason;
    return { isKept: false, reason, isDiskFull };
  }

  function kept(): { isKept: true } {
    status.lastError = null;
    return { isKept: true };
  }

  /** Sends what waits as one batch, which is one transaction. */
  function send(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    if (pending.rows === 0) return;
    const batch = pending;
    pending = createPendingBatch();
    flyingRows += batch.rows;
    flyingBytes += batch.bytes;
    status.batches += 1;
    const flight = post({ kind: "write", request: batch.request })
      .then(
        // The thread answers a batch with its outcome.
        (outcome) => settleBatch(outcome as WriteOutcome),
        (error: unknown) => drop(batch.rows, messageOf(error)),
      )
      .then((outcome) => {
        flying.delete(flight);
        flyingRows -= batch.rows;
        flyingBytes -= batch.bytes;
        batch.settle(outcome);
        // Those that came meanwhile have waited long enough: the busier the database, the larger its batches.
        if (pending.isAwaited) send();
      });
    flying.add(flight);
  }

  function settleBatch({ dropped, reason, isDiskFull }: WriteOutcome): Kept {
    return reason === null ? kept() : drop(dropped, reason, isDiskFull);
  }

  async function flush(): Promise<void> {
    send();
    await Promise.all(flying);
  }

  const queuedRows = () => pending.rows + flyingRows;
  const hasRoom = (bytes: number) => {
    const isFull =
      queuedRows() >= limits.queuedRows || pending.bytes + flyingBytes + bytes > limits.queuedBytes;
    if (isFull && !isFullLogged)
      log("Telemetry: the queue is full, rows are refused. Pages are not affected.");
    isFullLogged = isFull;
    return !isFull && !isClosed;
  };

  function add(request: WriteRequest): NotKept | null {
    if (!hasRoom(0)) return drop(createPendingBatch(request).rows, "The queue is full.");
    pending.add(request);
    return null;
  }

  const isLarge = () => pending.rows >= rowsPerBatch || pending.bytes >= bytesPerBatch;

  return {
    async write(request) {
      const refused = add(request);
      if (refused) return refused;
      const outcome = pending.outcome();
      // What comes in the same turn of the loop goes with it; behind a batch that flies, everything waits for its end.
      if (isLarge()) send();
      else if (flying.size === 0) setImmediate(() => flying.size === 0 && send());
      return outcome;
    },
    count(request) {
      if (add(request)) return;
      if (isLarge()) send();
      else timer ??= setTimeout(send, batchMilliseconds);
    },
    async writeSnapshots(body, at) {
      const bytes = body.byteLength;
      if (!hasRoom(bytes)) return drop(1, "The queue is full.");
      flyingBytes += bytes;
      try {
        // A view of a part of a buffer that others use is copied; a whole one is moved.
        const own = bytes === body.buffer.byteLength ? body : body.slice();
        const answer = (await post({ kind: "snapshots", body: own, at }, [own.buffer])) as SnapshotAnswer;
        if ("refused" in answer) return answer;
        const outcome = settleBatch(answer);
        return outcome.isKept ? { ...outcome, accepted: answer.accepted } : outcome;
      } catch (error) {
        return drop(1, messageOf(error));
      } finally {
        flyingBytes -= bytes;
      }
    },
    // The thread answers a name with that name's result.
    ask: async (name, params) => (await post({ kind: "ask", name, params })) as RequestResult<typeof name>,
    flush,
    status: () => ({ queued: queuedRows(), ...status }),
    endThread: async () => void (await worker?.terminate()),
    async close() {
      if (isClosed) return;
      await flush();
      isClosed = true;
      await post({ kind: "close" }).catch(() => {});
      await worker?.terminate();
    },
  };
}

type SnapshotAnswer = { refused: string; reason: RefusalReason } | (WriteOutcome & { accepted: number });
type WithoutId<Message> = Message extends unknown ? Omit<Message, "id"> : never;
type PartialMessage = WithoutId<StoreMessage>;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
