/**
 * Memory for chunks read from files. Allocating and collecting it for each chunk takes a fifth of the CPU time of a large
 * response, so a reader may give back a chunk. A chunk that is not given back is garbage collected.
 */
import { CHUNK_BYTES, MAX_FREE_CHUNKS } from "./limits.ts";

export interface ChunkMemory {
  /** At most `CHUNK_BYTES`; contains old data. */
  take(bytes: number): Buffer;
  /** Call when the chunk is no longer read. Has no effect on other memory or when repeated. */
  giveBack(chunk: Uint8Array): void;
}

/** Smaller chunks are allocated. */
const SMALLEST = CHUNK_BYTES / 4;

export function createChunkMemory(): ChunkMemory {
  const free: Buffer[] = [];
  /** Keyed by underlying memory, because chunks are parts of it. */
  const taken = new WeakMap<ArrayBufferLike, Buffer>();
  return {
    take(bytes) {
      if (bytes < SMALLEST) return Buffer.allocUnsafe(bytes);
      // Not from Node's pool, which is shared with other buffers.
      const memory = free.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
      taken.set(memory.buffer, memory);
      return memory.subarray(0, bytes);
    },
    giveBack({ buffer }) {
      const memory = taken.get(buffer);
      if (!memory) return;
      taken.delete(buffer);
      if (free.length < MAX_FREE_CHUNKS) free.push(memory);
    },
  };
}
