import { Worker } from "node:worker_threads";
import type { TelemetryLimits } from "../limits.ts";
import type { RequestName, RequestParams, RequestResult } from "./requests.ts";
import type { WriteRequest } from "./store-service.ts";
import type { StoreAnswer, StoreMessage, StoreThreadOptions } from "./worker.ts";

/** Rows wait this long for others that go to the database with them. */
const batchMilliseconds = 25;
const rowsPerBatch = 500;
/** A request of the console or of a recording that takes longer is given up. */
const answerMilliseconds = 20_000;
/** A thread that ended is started again, but not in a loop. */
const restartMilliseconds = 1000;

export interface StoreStatus {
  queued: number;
  dropped: number;
  lastError: string | null;
}

export interface TelemetryStore {
  /** Takes rows for the next batch. @returns false when the queue is full: the rows are dropped and counted. */
  write: (request: WriteRequest) => boolean;
  /** Parts of a recording as sent, inflated; parsed by the database's thread. The bytes are moved there. */
  writeSnapshots: (
    body: Uint8Array<ArrayBuffer>,
    at: number,
  ) => Promise<{ accepted: number } | { refused: string }>;
  /** @throws Error when the database does not answer. */
  ask: <Name extends RequestName>(name: Name, params: RequestParams<Name>) => Promise<RequestResult<Name>>;
  /** Resolves when what was written before is in the database. */
  flush: () => Promise<void>;
  status: () => StoreStatus;
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
  let pending: WriteRequest = {};
  let pendingRows = 0;
  let flying = 0;
  let flyingBytes = 0;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;
  const status = { dropped: 0, lastError: null as string | null };
  let isFullLogged = false;
  let worker = start();

  function start(): Worker {
    const started = new Worker(new URL("./worker.ts", import.meta.url), { workerData: options });
    started.unref();
    started.on("message", onAnswer);
    started.on("error", (error) => {
      status.lastError = error instanceof Error ? error.message : String(error);
      log(`Telemetry: the database's thread failed (${status.lastError}) and is started again.`);
    });
    started.once("exit", () => {
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
    const id = nextId++;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        settle(id)?.reject(new Error("The database does not answer."));
      }, answerMilliseconds);
      timer.unref();
      waiting.set(id, { resolve, reject, timer });
      worker.postMessage({ ...message, id }, transfer);
    });
  }

  function drop(rows: number, reason: string): void {
    status.dropped += rows;
    status.lastError = reason;
  }

  async function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    if (pendingRows === 0) return;
    const [request, rows] = [pending, pendingRows];
    [pending, pendingRows] = [{}, 0];
    flying += rows;
    try {
      const outcome = (await post({ kind: "write", request })) as { dropped: number; reason: string | null };
      if (outcome.reason !== null) drop(outcome.dropped, outcome.reason);
    } catch (error) {
      drop(rows, error instanceof Error ? error.message : String(error));
    } finally {
      flying -= rows;
    }
  }

  const queued = () => pendingRows + flying;
  const hasRoom = () => {
    const isFull = queued() >= limits.queuedRows || flyingBytes >= limits.queuedBytes;
    if (isFull && !isFullLogged)
      log("Telemetry: the queue is full, rows are dropped. Pages are not affected.");
    isFullLogged = isFull;
    return !isFull && !isClosed;
  };

  return {
    write(request) {
      const rows = countRows(request);
      if (!hasRoom()) {
        drop(rows, "The queue is full.");
        return false;
      }
      addRows(pending, request);
      pendingRows += rows;
      if (pendingRows >= rowsPerBatch) void flush();
      else timer ??= setTimeout(() => void flush(), batchMilliseconds);
      return true;
    },
    async writeSnapshots(body, at) {
      if (!hasRoom()) {
        drop(1, "The queue is full.");
        return { accepted: 0 };
      }
      const bytes = body.byteLength;
      flyingBytes += bytes;
      try {
        // A view of a part of a buffer that others use is copied; a whole one is moved.
        const own = bytes === body.buffer.byteLength ? body : body.slice();
        const answer = (await post({ kind: "snapshots", body: own, at }, [own.buffer])) as SnapshotAnswer;
        if ("refused" in answer) return answer;
        if (answer.dropped > 0) drop(answer.dropped, "A recording could not be written.");
        return { accepted: answer.accepted };
      } catch (error) {
        drop(1, error instanceof Error ? error.message : String(error));
        return { accepted: 0 };
      } finally {
        flyingBytes -= bytes;
      }
    },
    // The thread answers a name with that name's result.
    ask: async (name, params) => (await post({ kind: "ask", name, params })) as RequestResult<typeof name>,
    flush,
    status: () => ({ queued: queued(), ...status }),
    async close() {
      if (isClosed) return;
      await flush();
      isClosed = true;
      await post({ kind: "close" }).catch(() => {});
      await worker.terminate();
    },
  };
}

type SnapshotAnswer = { refused: string } | { accepted: number; dropped: number };
type WithoutId<Message> = Message extends unknown ? Omit<Message, "id"> : never;
type PartialMessage = WithoutId<StoreMessage>;

function countRows(request: WriteRequest): number {
  let rows = 0;
  for (const list of Object.values(request)) rows += list.length;
  return rows;
}

function addRows(target: WriteRequest, request: WriteRequest): void {
  for (const [name, rows] of Object.entries(request)) {
    // Each name has its own kind of rows, and they are added to the same name's.
    const lists = target as { [name: string]: unknown[] };
    const list = lists[name];
    if (list) for (const row of rows) list.push(row);
    else lists[name] = [...rows];
  }
}
