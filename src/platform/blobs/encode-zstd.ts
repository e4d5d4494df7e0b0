/**
 * Deterministic zstd: the same bytes become the same frame, however they arrive. Organizations share blobs, and a reader must not
 * learn from a blob's compressed form that another organization had it before, or how.
 */
import { constants, createZstdCompress } from "node:zlib";
import { through } from "./through.ts";

/** Networks are fast, and this level takes the least time. */
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** The encoder's blocks depend on the size of each write. */
const GIVEN_BYTES = 128 * 1024;

export const encodeZstd = (bytes: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> =>
  through(inBlocks(bytes), createZstdCompress(OPTIONS));

async function* inBlocks(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let block = Buffer.allocUnsafeSlow(GIVEN_BYTES);
  let filled = 0;
  for await (const chunk of bytes)
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + GIVEN_BYTES - filled);
      block.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < GIVEN_BYTES) continue;
      yield block;
      block = Buffer.allocUnsafeSlow(GIVEN_BYTES);
      filled = 0;
    }
  if (filled > 0) yield block.subarray(0, filled);
}
