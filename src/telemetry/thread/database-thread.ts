import { Worker } from "node:worker_threads";
import type { StoreAnswer, StoreMessage, StoreThreadOptions } from "./messages.ts";

/** A request of the console or of a recording that takes longer is abandoned. */
const ANSWER_TIMEOUT_MS = 20_000;
/** Keeps a thread that fails at its start from being restarted in a tight loop. */
const RESTART_MS = 1000;
/** A third of Node's default. A thread keeps its peak memory. */
const YOUNG_GENERATION_MB = 16;

export interface DatabaseThread {
  /** Rejects when the thread has ended, does not answer in time, or cannot do the request. */
  post: (message: MessageWithoutId, transfer?: ArrayBuffer[]) => Promise<unknown>;
  /** Ends the thread like a failure; it is then restarted. For tests. */
  endThread: () => Promise<void>;
  /** Ends the thread for good. */
  close: () => Promise<void>;
}

export interface DatabaseThreadOptions {
  thread: StoreThreadOptions;
  onFailure: (message: string) => void;
  log: (line: string) => void;
}

/** Starts the thread that owns the database, matches its answers to messages, and restarts it when it ends. */
export function startDatabaseThread({ thread, onFailure, log }: DatabaseThreadOptions): DatabaseThread {
  const answers = createAnswers();
  let isClosed = false;
  /** Null until a thread that ended is restarted. */
  let worker: Worker | null = start();

  function start(): Worker {
    const started = new Worker(new URL("./worker.ts", import.meta.url), {
      workerData: thread,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    started.unref();
    started.on("message", (answer: StoreAnswer) => {
      if (answer.kind === "log") log(answer.line);
      else answers.settle(answer);
    });
    started.on("error", (error) => {
      const message = error instanceof Error ? error.message : String(error);
      onFailure(message);
      log(`Telemetry: the database's thread failed (${message}) and is being restarted.`);
    });
    started.once("exit", () => {
      worker = null;
      answers.rejectAll("The database's thread ended.");
      if (isClosed) return;
      setTimeout(() => {
        if (!isClosed) worker = start();
      }, RESTART_MS).unref();
    });
    return started;
  }

  return {
    post(message, transfer = []) {
      if (!worker) return Promise.reject(new Error("The database's thread is being restarted."));
      const target = worker;
      return answers.expect((id) => target.postMessage({ ...message, id }, transfer));
    },
    endThread: async () => void (await worker?.terminate()),
    async close() {
      isClosed = true;
      await worker?.terminate();
    },
  };
}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/** Matches answers to messages by their number. */
function createAnswers() {
  const waiting = new Map<number, Waiting>();
  let nextId = 1;

  function take(id: number): Waiting | undefined {
    const entry = waiting.get(id);
    waiting.delete(id);
    if (entry) clearTimeout(entry.timer);
    return entry;
  }

  return {
    /** @param send gets the number of the message @returns the answer, within `ANSWER_TIMEOUT_MS` */
    expect(send: (id: number) => void): Promise<unknown> {
      const id = nextId++;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          take(id)?.reject(new Error("The database does not respond."));
        }, ANSWER_TIMEOUT_MS);
        timer.unref();
        waiting.set(id, { resolve, reject, timer });
        send(id);
      });
    },
    settle(answer: Exclude<StoreAnswer, { kind: "log" }>): void {
      const entry = take(answer.id);
      if (answer.kind === "done") entry?.resolve(answer.result);
      else entry?.reject(new Error(answer.message));
    },
    rejectAll(reason: string): void {
      for (const id of waiting.keys()) take(id)?.reject(new Error(reason));
    },
  };
}

type WithoutId<Message> = Message extends unknown ? Omit<Message, "id"> : never;
type MessageWithoutId = WithoutId<StoreMessage>;
