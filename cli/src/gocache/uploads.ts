/** Uploads in the background: a few at a time; each file is read when it is its turn. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Entry } from "./entry.ts";
import { MAX_TRIES, UPLOADS_AT_ONCE } from "./limits.ts";

export interface Upload {
  action: string;
  entry: Entry;
  path: string;
}

export interface Uploads {
  add: (upload: Upload) => void;
  /** @returns how many were not finished in time */
  finish: (withinMs: number) => Promise<number>;
}

interface UploadOptions {
  /** Sends one; "again" if the server asked to wait. Never throws. */
  send: (upload: Upload) => Promise<"over" | "again">;
  /** How long to wait before the next, in milliseconds. */
  restMs: () => number;
  /** Whether uploads are pointless. */
  isOff: () => boolean;
}

export function createUploads({ send, restMs, isOff }: UploadOptions): Uploads {
  const waiting: Upload[] = [];
  const onTheWay = new Set<Promise<void>>();
  const ending = new AbortController();
  const isOver = () => isOff() || ending.signal.aborted;

  function start(): void {
    while (onTheWay.size < UPLOADS_AT_ONCE && waiting.length > 0 && !isOver()) {
      const one: Promise<void> = run(waiting.shift()!).finally(() => {
        onTheWay.delete(one);
        start();
      });
      onTheWay.add(one);
    }
  }

  async function run(upload: Upload): Promise<void> {
    for (let tried = 0; tried < MAX_TRIES && !isOver(); tried++) {
      await sleep(restMs(), undefined, { signal: ending.signal }).catch(() => {});
      if (isOver() || (await send(upload)) === "over") return;
    }
  }

  async function allSent(): Promise<void> {
    while (onTheWay.size > 0) await Promise.race(onTheWay);
  }

  return {
    add(upload) {
      waiting.push(upload);
      start();
    },
    async finish(withinMs) {
      const time = new AbortController();
      await Promise.race([allSent(), sleep(withinMs, undefined, { signal: time.signal }).catch(() => {})]);
      time.abort();
      const left = isOff() ? 0 : waiting.length + onTheWay.size;
      ending.abort();
      return left;
    },
  };
}
