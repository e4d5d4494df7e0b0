/**
 * Reads a blob. The first time in a process, and whenever its file has changed, its bytes are compared with the digest
 * while they are sent; the last part is held back until they are verified, so that no reader gets damaged bytes whole.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { type ByteReader, type ByteStore, MissingBytesError } from "./byte-store.ts";
import type { CheckedPlaces } from "./checked-places.ts";
import { createZstdDecoder } from "./decode-zstd.ts";
import type { Blob } from "./schema.ts";
import { through } from "./through.ts";

/** The stored bytes do not match the digest. */
export class DamagedBlobError extends Error {}

export interface BlobReader {
  /** Decoded bytes. */
  readonly size: number;
  /** Decoded, from `start` until before `end`. @throws DamagedBlobError before the last part */
  bytes(start?: number, end?: number): AsyncIterable<Uint8Array>;
  /** As stored: compressed when `blob.encoding` is `zstd`. @throws DamagedBlobError before the last part */
  encodedBytes(): AsyncIterable<Uint8Array>;
  /** Returns the memory of a chunk of `bytes` that is no longer read, for reuse. */
  giveBack(chunk: Uint8Array): void;
  /** Must always be called. */
  close(): Promise<void>;
}

interface OpenTools {
  store: ByteStore;
  checked: CheckedPlaces;
  markDamaged: (blob: Blob) => Promise<void>;
}

export async function openBlob(blob: Blob, tools: OpenTools): Promise<BlobReader> {
  if (blob.place === null) return openContent(blob, blob.content ?? new Uint8Array(0));
  const reader = await tools.store.open(blob.place).catch(async (error: unknown) => {
    // The file was removed by someone: the next upload restores it.
    if (error instanceof MissingBytesError) await tools.markDamaged(blob);
    throw error;
  });
  const encoded = () => checkedChunks(blob, reader, tools);
  return {
    size: blob.size,
    encodedBytes: encoded,
    bytes(start = 0, end = blob.size) {
      if (blob.encoding === "zstd") return slice(decode(encoded()), start, end);
      // Directly from the file: each generator in between takes time.
      if (isChecked(blob, reader, tools)) return reader.chunks(start, end);
      return start === 0 && end === blob.size ? encoded() : checkedPart(encoded(), reader, [start, end]);
    },
    giveBack(chunk) {
      // Compressed chunks may still be in use by the decoder, for the check.
      if (blob.encoding === "identity") reader.giveBack?.(chunk);
    },
    close: () => reader.close(),
  };
}

/** A part does not prove the whole, so the whole is read first. */
async function* checkedPart(
  whole: AsyncIterable<Uint8Array>,
  reader: ByteReader,
  [start, end]: readonly [start: number, end: number],
): AsyncIterable<Uint8Array> {
  for await (const _ of whole);
  yield* reader.chunks(start, end);
}

function openContent(blob: Blob, content: Uint8Array): BlobReader {
  // oxlint-disable-next-line typescript/require-await -- of the interface
  const encoded = async function* () {
    if (content.length > 0) yield content;
  };
  return {
    size: blob.size,
    encodedBytes: encoded,
    bytes: (start = 0, end = blob.size) =>
      slice(blob.encoding === "zstd" ? decode(encoded()) : encoded(), start, end),
    giveBack() {},
    close: () => Promise.resolve(),
  };
}

const isChecked = (blob: Blob, reader: ByteReader, { checked }: OpenTools) =>
  blob.place !== null && checked.has(blob.place, reader.stamp);

async function* checkedChunks(blob: Blob, reader: ByteReader, tools: OpenTools): AsyncIterable<Uint8Array> {
  if (isChecked(blob, reader, tools)) return yield* reader.chunks(0, blob.storedBytes);
  const fail = async (): Promise<never> => {
    await tools.markDamaged(blob);
    throw new DamagedBlobError(`The bytes of ${blob.digest} are damaged.`);
  };
  if (reader.size !== blob.storedBytes) return fail();
  const [algorithm = "", expected = ""] = blob.digest.split(":");
  const hash = createHash(algorithm);
  const decoder = blob.encoding === "zstd" ? createZstdDecoder() : null;
  const decoded = decoder && hashAll(decoder, hash);
  decoded?.catch(() => {});
  try {
    let held: Uint8Array | null = null;
    for await (const chunk of reader.chunks(0, blob.storedBytes)) {
      if (decoder) {
        if (!decoder.write(chunk)) await Promise.race([drained(decoder), decoded]).catch(fail);
      } else hash.update(chunk);
      if (held) yield held;
      held = chunk;
    }
    decoder?.end();
    await decoded?.catch(fail);
    if (!timingSafeEqual(hash.digest(), Buffer.from(expected, "hex"))) return fail();
    if (blob.place !== null) tools.checked.add(blob.place, reader.stamp);
    if (held) yield held;
  } finally {
    // The reader may have stopped early.
    decoder?.destroy();
  }
}

async function hashAll(
  stream: AsyncIterable<Buffer>,
  hash: { update: (chunk: Buffer) => unknown },
): Promise<void> {
  for await (const chunk of stream) hash.update(chunk);
}

const drained = (stream: NodeJS.WritableStream) =>
  new Promise<void>((resolve) => {
    stream.once("drain", resolve);
    // A stream that has ended does not drain.
    stream.once("close", resolve);
  });

const decode = (encoded: AsyncIterable<Uint8Array>) => through(encoded, createZstdDecoder());

async function* slice(
  chunks: AsyncIterable<Uint8Array>,
  start: number,
  end: number,
): AsyncIterable<Uint8Array> {
  let position = 0;
  for await (const chunk of chunks) {
    const from = Math.max(start - position, 0);
    const to = Math.min(end - position, chunk.length);
    position += chunk.length;
    if (from < to) yield chunk.subarray(from, to);
    if (position >= end) return;
  }
}
