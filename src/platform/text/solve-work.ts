/**
 * Solves the proof of work that a server requires from strangers: a nonce for which SHA-256(SHA-256(challenge) ‖ nonce as 8
 * bytes) begins with `bits` zero bits. It works in small steps, so that a page stays usable.
 */
import { hashText, startState, takeBlock } from "./sha-256.ts";

export interface AskedWork {
  challenge: string;
  bits: number;
}

export interface SolveOptions {
  /** Aborts it, with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** From 0 to 1, as an estimate; never quite 1. */
  onProgress?: ((share: number) => void) | undefined;
}

const SLICE_MS = 12;
/** Hashes between two checks of the clock: a millisecond or less, on a slow phone a few. */
const HASHES_PER_LOOK = 500;
/** 32 bytes and 8 bytes. */
const MESSAGE_BITS = 40 * 8;

/** @returns the value of the header `Millrace-Work` */
export async function solveWork(work: AskedWork, { signal, onProgress }: SolveOptions = {}): Promise<string> {
  const tries = createTries(work);
  const turns = createTurns();
  try {
    for (;;) {
      signal?.throwIfAborted();
      for (const end = performance.now() + SLICE_MS; performance.now() < end;) {
        const nonce = tries.next(HASHES_PER_LOOK);
        if (nonce !== null) return `${work.challenge}:${nonce}`;
      }
      onProgress?.(1 - Math.exp(-tries.count() / 2 ** work.bits));
      await turns.next();
    }
  } finally {
    turns.end();
  }
}

function createTries({ challenge, bits }: AskedWork) {
  const key = hashText(challenge);
  const words = new Int32Array(64);
  const start = startState();
  const state = new Int32Array(8);
  let nonce = 0;
  return {
    count: () => nonce,
    /** @returns the nonce if it is among the next `many`, else null */
    next(many: number): number | null {
      for (const end = nonce + many; nonce < end; nonce += 1) {
        words.set(key);
        words[8] = Math.floor(nonce / 2 ** 32);
        words[9] = nonce | 0;
        words[10] = 1 << 31;
        words.fill(0, 11, 15);
        words[15] = MESSAGE_BITS;
        state.set(start);
        takeBlock(state, words);
        if (Math.clz32(state[0]!) >= bits) return nonce;
      }
      return null;
    },
  };
}

/** Gives other work a turn. Timers would wait for seconds in a background tab. */
function createTurns() {
  // Node.js has it; there, messages run before everything else.
  const { setImmediate } = globalThis as { setImmediate?: (go: () => void) => unknown };
  if (setImmediate)
    return { next: () => new Promise<void>((resolve) => void setImmediate(resolve)), end() {} };
  const { port1, port2 } = new MessageChannel();
  let go = () => {};
  port2.addEventListener("message", () => go());
  port2.start();
  return {
    next: () =>
      new Promise<void>((resolve) => {
        go = resolve;
        port1.postMessage(null);
      }),
    end: () => port1.close(),
  };
}
