/**
 * zstd as this server makes it: the same bytes become the same frame, however they come. Blobs are shared by organizations,
 * and whoever reads one compressed must not learn from its form that somebody else had it before, or how.
 */
import { constants, createZstdCompress } from "node:zlib";
import { through } from "./through.ts";

/** Ways are fast, and this level takes the least time. */
const OPTIONS = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** The encoder's blocks follow from what it is given at once. */
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
