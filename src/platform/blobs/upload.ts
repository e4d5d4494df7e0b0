/**
 * Bytes on their way in: hashed while they arrive, kept in memory while they are few, then in the byte store.
 *
 *   write ─► limit ─► decode (zstd) ─► hash
 *               └───► as they came ─► memory, or the byte store
 */
import { createHash, type Hash } from "node:crypto";
import type { ZstdDecompress } from "node:zlib";
import type { ByteStore, ByteWriter } from "./byte-store.ts";
import { createZstdDecoder } from "./decode-zstd.ts";
import { ENCODED_MARGIN_BYTES, ENCODED_MARGIN_SHARE, INLINE_BYTES } from "./limits.ts";
import type { BlobEncoding } from "./schema.ts";

export type DigestAlgorithm = "sha256" | "sha512";

export interface UploadOptions {
  /** Decoded bytes at most. */
  maxBytes: number;
  encoding?: BlobEncoding;
  algorithm?: DigestAlgorithm;
}

/** zstd makes a little more of bytes that it cannot compress, and some clients compress each chunk for itself. */
export const mostEncodedBytes = (bytes: number): number =>
  bytes + Math.ceil(bytes * ENCODED_MARGIN_SHARE) + ENCODED_MARGIN_BYTES;

/** Whole, durable unless it is in `content`, and not yet named by any record. */
export interface ReceivedBlob {
  digest: string;
  size: number;
  storedBytes: number;
  encoding: BlobEncoding;
  /** Where it is; null: in `content`. */
  place: string | null;
  content: Uint8Array | null;
}

/** What the client sent is not what it said: too large, another digest, not zstd. */
export class UploadError extends Error {
  readonly reason: "too large" | "digest" | "encoding";
  constructor(reason: UploadError["reason"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

export class Upload {
  readonly #store: ByteStore;
  readonly #options: UploadOptions;
  readonly #hash: Hash;
  readonly #algorithm: DigestAlgorithm;
  /** Frames that decode to nothing could go on for ever. */
  readonly #mostEncoded: number;
  #held: Uint8Array[] = [];
  #writer: ByteWriter | null = null;
  #decoder: { stream: ZstdDecompress; done: Promise<void> } | null = null;
  /** Bytes that came, and bytes after decoding. */
  #storedBytes = 0;
  #size = 0;
  #isOver = false;

  constructor(store: ByteStore, options: UploadOptions) {
    this.#store = store;
    this.#options = options;
    this.#algorithm = options.algorithm ?? "sha256";
    this.#hash = createHash(this.#algorithm);
    this.#mostEncoded =
      options.encoding === "zstd" ? mostEncodedBytes(options.maxBytes) : Number.POSITIVE_INFINITY;
    if (options.encoding === "zstd") this.#decoder = this.#openDecoder();
  }

  /** Bytes that have come so far, as they came. */
  get receivedBytes(): number {
    return this.#storedBytes;
  }

  /** One at a time. @throws UploadError; the byte store's error. Then `abort` it. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#storedBytes += chunk.length;
    if (this.#storedBytes > this.#mostEncoded)
      throw new UploadError("too large", `the compressed content has more than ${this.#mostEncoded} bytes`);
    if (this.#decoder) await this.#decode(chunk);
    else this.#count(chunk);
    if (!this.#writer && this.#storedBytes <= INLINE_BYTES) {
      this.#held.push(chunk);
      return;
    }
    this.#writer ??= await this.#store.create();
    for (const held of this.#held.splice(0)) await this.#writer.write(held);
    await this.#writer.write(chunk);
  }

  /** @param expected the digest that the client has named. @throws UploadError; then it is aborted already */
  async finish(expected?: string): Promise<ReceivedBlob> {
    try {
      if (this.#decoder) await this.#endDecoder(this.#decoder);
      const digest = `${this.#algorithm}:${this.#hash.digest("hex")}`;
      if (expected !== undefined && expected !== digest)
        throw new UploadError("digest", `the content has the digest ${digest}, not ${expected}`);
      await this.#writer?.finish();
      this.#isOver = true;
      return {
        digest,
        size: this.#size,
        storedBytes: this.#storedBytes,
        encoding: this.#options.encoding ?? "identity",
        place: this.#writer?.place ?? null,
        content: this.#writer ? null : Buffer.concat(this.#held),
      };
    } catch (error) {
      await this.abort();
      throw error;
    }
  }

  /** Leaves nothing behind; after `finish` it does nothing. */
  async abort(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#decoder?.stream.destroy();
    this.#held = [];
    await this.#writer?.abort();
  }

  #count(chunk: Uint8Array): void {
    this.#size += chunk.length;
    const { maxBytes } = this.#options;
    if (this.#size > maxBytes)
      throw new UploadError("too large", `the content has more than ${maxBytes} bytes`);
    this.#hash.update(chunk);
  }

  #openDecoder(): { stream: ZstdDecompress; done: Promise<void> } {
    const stream = createZstdDecoder();
    const done = (async () => {
      for await (const chunk of stream as AsyncIterable<Buffer>) this.#count(chunk);
    })();
    // Asked for at the end, or at the next write.
    done.catch(() => {});
    return { stream, done };
  }

  async #decode(chunk: Uint8Array): Promise<void> {
    const { stream, done } = this.#decoder!;
    if (stream.write(chunk)) return;
    const drained = new Promise<void>((resolve) => stream.once("drain", resolve));
    await Promise.race([drained, done]).catch(asEncodingError);
    // Ended although more comes: what was counted was too large.
    if (stream.destroyed) await done.catch(asEncodingError);
  }

  async #endDecoder({ stream, done }: { stream: ZstdDecompress; done: Promise<void> }): Promise<void> {
    stream.end();
    await done.catch(asEncodingError);
  }
}

function asEncodingError(error: unknown): never {
  if (error instanceof UploadError) throw error;
  throw new UploadError("encoding", "the content is not what zstd makes", { cause: error });
}
