/**
 * A zstd decoder for bodies of several frames, from clients that compress each chunk separately. Node's decoder silently drops
 * bytes that follow a frame's end in the same write, so each write is split at frame ends.
 *
 *   magic ─► header ─► block… ─► checksum ─┬─► magic …
 *   magic ─► size ─► skipped bytes ────────┘
 *
 * https://datatracker.ietf.org/doc/html/rfc8878#section-3.1
 */
import { constants, createZstdDecompress, type ZstdDecompress } from "node:zlib";

/**
 * The logarithm of the largest window that a frame may request: 8 MB, which RFC 8878 asks decoders to support and levels up to 19
 * do not exceed. Without it, 20 bytes can request 128 MB.
 */
const MAX_WINDOW_LOG = 23;
const MAGIC = 0xfd2fb528;
const SKIPPABLE_MAGIC = 0x184d2a50;
const DICTIONARY_ID_BYTES = [0, 1, 2, 4];
const CONTENT_SIZE_BYTES = [0, 2, 4, 8];
const CHECKSUM_BYTES = 4;
const RLE_BLOCK = 1;
const RESERVED_BLOCK = 3;

export function createZstdDecoder(): ZstdDecompress {
  const stream = createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG } });
  const cut = createFrameCutter();
  const transform = stream._transform.bind(stream);
  stream._transform = (chunk: Buffer, encoding, callback) => {
    const pieces = chunk.length === 0 ? [chunk] : cut(chunk);
    const next = (error?: Error | null, data?: unknown): void => {
      const piece = error ? undefined : pieces.shift();
      if (piece) transform(piece, encoding, next);
      else callback(error, data);
    };
    next();
  };
  return stream;
}

/** Splits bytes at the ends of frames; other data is left whole, for the decoder to refuse. */
function createFrameCutter(): (chunk: Uint8Array) => Uint8Array[] {
  /** The part that comes next, and its bytes so far. */
  let part: "magic" | "size" | "descriptor" | "header" | "block" | "broken" = "magic";
  let held: number[] = [];
  /** Bytes to skip, which do not affect the format. */
  let skip = 0;
  let hasChecksum = false;
  let isLastBlock = false;

  const LENGTHS = { magic: 4, size: 4, descriptor: 1, header: 0, block: 3, broken: 0 };

  function read(): void {
    const value = held.reduce((sum, byte, at) => sum + byte * 2 ** (8 * at), 0);
    held = [];
    if (part === "magic") {
      const isSkippable = value - (value % 16) === SKIPPABLE_MAGIC;
      part = value === MAGIC ? "descriptor" : isSkippable ? "size" : "broken";
    } else if (part === "size") {
      skip = value;
      isLastBlock = true;
    } else if (part === "descriptor") {
      const isSingle = (value >> 5) & 1;
      const contentSize = value >> 6 === 0 ? isSingle : (CONTENT_SIZE_BYTES[value >> 6] ?? 0);
      hasChecksum = ((value >> 2) & 1) === 1;
      skip = 1 - isSingle + (DICTIONARY_ID_BYTES[value & 3] ?? 0) + contentSize;
      part = "block";
    } else {
      const type = (value >> 1) & 3;
      if (type === RESERVED_BLOCK) part = "broken";
      isLastBlock = (value & 1) === 1;
      skip = (type === RLE_BLOCK ? 1 : value >> 3) + (isLastBlock && hasChecksum ? CHECKSUM_BYTES : 0);
    }
  }

  return (chunk) => {
    const pieces: Uint8Array[] = [];
    let start = 0;
    let at = 0;
    while (at < chunk.length && part !== "broken") {
      if (skip > 0) {
        const step = Math.min(skip, chunk.length - at);
        skip -= step;
        at += step;
      } else {
        held.push(chunk[at] ?? 0);
        at += 1;
        if (held.length === LENGTHS[part]) read();
      }
      if (skip > 0 || !isLastBlock) continue;
      pieces.push(chunk.subarray(start, at));
      start = at;
      part = "magic";
      isLastBlock = false;
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
    return pieces;
  };
}
