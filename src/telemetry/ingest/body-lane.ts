import { Refusal } from "../contract/refusal.ts";

/** Seconds after which a refused sender may try again. */
const RETRY_SECONDS = 2;

export interface BodyLane {
  /** Runs a task in its turn. @param bytes the size of the waiting body @throws Refusal when too many bytes wait */
  run: <Result>(bytes: number, task: () => Promise<Result>) => Promise<Result>;
}

export interface BodyLaneOptions {
  atOnce: number;
  waitingBytes: number;
}

/**
 * Few bodies at a time: a small one inflates to megabytes, and a thousand at the same moment would fill the memory. The
 * others wait as sent, in order.
 */
export function createBodyLane({ atOnce, waitingBytes }: BodyLaneOptions): BodyLane {
  const waiting: (() => void)[] = [];
  let running = 0;
  let bytesWaiting = 0;

  async function turn(bytes: number): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (bytesWaiting + bytes > waitingBytes)
      throw new Refusal(
        "busy",
        `Too many requests are waiting. Try again in ${RETRY_SECONDS} seconds.`,
        RETRY_SECONDS,
      );
    bytesWaiting += bytes;
    // A finished task passes its place on, so `running` stays the same.
    await new Promise<void>((resolve) => waiting.push(resolve));
    bytesWaiting -= bytes;
  }

  return {
    async run(bytes, task) {
      await turn(bytes);
      try {
        return await task();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
