/**
 * A thread that starts with its first work and does not keep the process alive. It keeps the most memory that it ever needed,
 * so it ends when it has had no work for a while, and immediately when its work has left it large.
 */
import { getHeapStatistics } from "node:v8";
import { Worker } from "node:worker_threads";

/** After this long without work the thread ends. */
const IDLE_MS = 10_000;
/** Heap size above which a thread does not wait for further work: starting another thread takes 0.2 s of CPU time, in that thread. */
const LARGE_BYTES = 64 * 1024 * 1024;

export interface RestingThread {
  /** The thread for one piece of work; it stays until it rests. */
  take: () => Worker;
  /** @param heapBytes measured by the thread (`ownHeapBytes`) */
  rest: (heapBytes: number) => void;
  /** The thread has ended on its own. */
  forget: () => void;
  close: () => Promise<void>;
}

/** @param heapMb the thread ends with an error when its heap grows larger; absent: the process's limit */
export function createRestingThread(file: URL, heapMb?: number): RestingThread {
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    // By default the young generation is three times as much.
    const started = new Worker(file, {
      resourceLimits: {
        maxYoungGenerationSizeMb: 16,
        ...(heapMb !== undefined && { maxOldGenerationSizeMb: heapMb }),
      },
    });
    started.unref();
    started.once("exit", () => {
      if (worker === started) worker = null;
    });
    return started;
  }

  async function close(): Promise<void> {
    clearTimeout(idle);
    const ended = worker;
    worker = null;
    await ended?.terminate();
  }

  return {
    take() {
      clearTimeout(idle);
      return (worker ??= start());
    },
    rest(heapBytes) {
      if (heapBytes > LARGE_BYTES) void close();
      else idle = setTimeout(() => void close(), IDLE_MS).unref();
    },
    forget: () => void (worker = null),
    close,
  };
}

/** Called in the thread: memory that V8 has reserved for it, in bytes. */
export const ownHeapBytes = (): number => getHeapStatistics().total_heap_size;
