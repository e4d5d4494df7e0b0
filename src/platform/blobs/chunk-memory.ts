/**
 * Memory of chunks that were read from files. To allocate and collect it for each chunk takes a fifth of the processor's time
 * of a large answer, so whoever is done with a chunk may give it back. One that nobody gives back is collected as any other.
 */
import { CHUNK_BYTES, MAX_FREE_CHUNKS } from "./limits.ts";

export interface ChunkMemory {
  /** At most `CHUNK_BYTES`; what it contains is left from others. */
  take(bytes: number): Buffer;
  /** Nobody reads the chunk any more. A second time, and for other memory, nothing happens. */
  giveBack(chunk: Uint8Array): void;
}

/** Smaller ones are allocated. */
const SMALLEST = CHUNK_BYTES / 4;

export function createChunkMemory(): ChunkMemory {
  const free: Buffer[] = [];
  /** By the memory, because chunks are parts of it. */
  const taken = new WeakMap<ArrayBufferLike, Buffer>();
  return {
    take(bytes) {
      if (bytes < SMALLEST) return Buffer.allocUnsafe(bytes);
      // Not of Node's pool, which others have parts of.
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
