import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib";
import pLimit from "p-limit";

/** A text that is compressed here; its compressed forms are stored in it. */
interface Packable {
  identity: Buffer;
  br?: Buffer;
  gzip?: Buffer;
}

/**
 * Compressing a page takes 1 to 2 ms, and gives an eighth more bytes than the best quality, which takes 40
 * ms.
 */
const QUICK = 5;
const BEST = 11;

/** The best quality occupies a pool thread that others wait for, so one at a time. */
const inTurn = pLimit(1);

const brotliBest = promisify(brotliCompress);
const gzipBest = promisify(gzip);

/**
 * The compressed form of a file whose bytes were not known at build time. The first request gets a quickly
 * compressed form, later requests the best form, for as long as the process lives.
 */
export function packLate(file: Packable, encoding: "br" | "gzip"): Buffer {
  const { identity } = file;
  const quick =
    encoding === "br"
      ? brotliCompressSync(identity, brotliOptions(QUICK, identity.length))
      : gzipSync(identity, { level: QUICK });
  file[encoding] = quick;
  void inTurn(async () => {
    const best =
      encoding === "br"
        ? await brotliBest(identity, brotliOptions(BEST, identity.length))
        : await gzipBest(identity, { level: 9 });
    // Another text may have been stored meanwhile.
    if (file[encoding] === quick) file[encoding] = best;
  });
  return quick;
}

function brotliOptions(quality: number, bytes: number) {
  return {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
    },
  };
}
