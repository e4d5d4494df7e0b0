import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib";
import pLimit from "p-limit";

/** What is compressed here; the forms are kept with it. */
interface Packable {
  identity: Buffer;
  br?: Buffer;
  gzip?: Buffer;
}

/** A page takes 1 to 2 ms, and an eighth more bytes than at the best quality, which takes 40 ms. */
const QUICK = 5;
const BEST = 11;

/** The best takes a thread of the pool, which others wait for: one at a time. */
const inTurn = pLimit(1);

const brotliBest = promisify(brotliCompress);
const gzipBest = promisify(gzip);

/**
 * The compressed form of a file whose bytes were not known when the site was built. The first to ask gets one that was
 * made quickly, and those after a moment the best, for as long as the process lives.
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
    // Somebody else may have put another text there meanwhile.
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
