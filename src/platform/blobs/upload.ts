/**
 * Incoming bytes: hashed as they arrive, kept in memory while they are few, then in the byte store.
 *
 *   write ─► limit ─► hash ─► memory, or the byte store
 *   write ─► limit ─► decode (zstd) ─► limit, hash ─► memory, or re-encode ─► the byte store
 */
import { createHash, type Hash } from "node:crypto";
import type { ZstdDecompress } from "node:zlib";
import type { ByteStore, ByteWriter } from "./byte-store.ts";
import { createZstdDecoder } from "./decode-zstd.ts";
import { encodeZstd } from "./encode-zstd.ts";
import { ENCODED_MARGIN_BYTES, ENCODED_MARGIN_SHARE, HASH_AT_ONCE_BYTES, INLINE_BYTES } from "./limits.ts";
import type { BlobEncoding } from "./schema.ts";

export type DigestAlgorithm = "sha256" | "sha512";

export interface UploadOptions {
  /** Maximum of decoded bytes. */
  maxBytes: number;
  /** Decoded bytes, as declared by the client. More is an error: 64 KB of zstd can decode to 2 GB, which need not be read. */
  size?: number | undefined;
  encoding?: BlobEncoding;
  algorithm?: DigestAlgorithm;
  /** Called once, when it is finished or aborted. */
  onEnd?: () => void;
}

/** zstd adds a few bytes to incompressible data, and some clients compress each chunk separately. */
export const mostEncodedBytes = (bytes: number): number =>
  bytes + Math.ceil(bytes * ENCODED_MARGIN_SHARE) + ENCODED_MARGIN_BYTES;

/** Complete, durable unless it is in `content`, and not yet named by any record. */
export interface ReceivedBlob {
  digest: string;
  size: number;
  storedBytes: number;
  encoding: BlobEncoding;
  /** Its place in the byte store; null: in `content`. */
  place: string | null;
  content: Uint8Array | null;
}

/** The body does not match what the client declared: too large, wrong digest, not zstd. */
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
  /** Frames that decode to nothing could continue forever. */
  readonly #mostEncoded: number;
  #held: Uint8Array[] = [];
  #writer: ByteWriter | null = null;
  #decoder: { stream: ZstdDecompress; done: Promise<void> } | null = null;
  /** An error of the store while the decoder ran. */
  #storeError: unknown = null;
  /** Bytes received, bytes as stored, and bytes after decoding. */
  #receivedBytes = 0;
  #storedBytes = 0;
  #size = 0;
  /** Encoding as stored: small compressed uploads are stored plain. */
  #encoding: BlobEncoding = "identity";
  #isOver = false;

  constructor(store: ByteStore, options: UploadOptions) {
    this.#store = store;
    this.#options = options;
    this.#algorithm = options.algorithm ?? "sha256";
    this.#hash = createHash(this.#algorithm);
    const { maxBytes, size = maxBytes } = options;
    this.#mostEncoded =
      options.encoding === "zstd" ? mostEncodedBytes(Math.min(maxBytes, size)) : Number.POSITIVE_INFINITY;
    if (options.encoding === "zstd") this.#decoder = this.#openDecoder();
  }

  /** Bytes received so far, before decoding. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** One call at a time. @throws UploadError; the byte store's error. Call `abort` then. */
  async write(chunk: Uint8Array): Promise<void> {
    this.#receive(chunk);
    if (this.#decoder) return this.#decode(chunk);
    for (let start = 0; start < chunk.length; start += HASH_AT_ONCE_BYTES) {
      const part = chunk.subarray(start, start + HASH_AT_ONCE_BYTES);
      this.#count(part);
      await this.#keep([part]);
    }
  }

  /** The same for several chunks, whose memory the caller may reuse once it resolves. */
  async writeAll(chunks: readonly Uint8Array[]): Promise<void> {
    for (const chunk of chunks) {
      this.#receive(chunk);
      if (this.#decoder) await this.#decode(Uint8Array.from(chunk));
      else this.#count(chunk);
    }
    if (!this.#decoder) await this.#keep(chunks);
  }

  #receive(chunk: Uint8Array): void {
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes > this.#mostEncoded)
      throw new UploadError("too large", `the compressed content has more than ${this.#mostEncoded} bytes`);
  }

  async #keep(chunks: readonly Uint8Array[]): Promise<void> {
    for (const { length } of chunks) this.#storedBytes += length;
    if (!this.#writer && this.#storedBytes <= INLINE_BYTES) {
      this.#held.push(Buffer.concat(chunks));
      return;
    }
    this.#writer ??= await this.#store.create();
    await this.#writer.write([...this.#held.splice(0), ...chunks]);
  }

  /** @param expected the digest named by the client. @throws UploadError; then the upload is already aborted */
  async finish(expected?: string): Promise<ReceivedBlob> {
    try {
      if (this.#decoder) await this.#endDecoder(this.#decoder);
      const digest = `${this.#algorithm}:${this.#hash.digest("hex")}`;
      if (expected !== undefined && expected !== digest)
        throw new UploadError("digest", `the content has the digest ${digest}, not ${expected}`);
      await this.#writer?.finish();
      this.#end();
      return {
        digest,
        size: this.#size,
        storedBytes: this.#storedBytes,
        encoding: this.#encoding,
        place: this.#writer?.place ?? null,
        content: this.#writer ? null : Buffer.concat(this.#held),
      };
    } catch (error) {
      await this.abort();
      throw error;
    }
  }

  /** Leaves nothing behind; no effect after `finish`. */
  async abort(): Promise<void> {
    if (this.#isOver) return;
    this.#end();
    this.#held = [];
    this.#decoder?.stream.destroy();
    // The decoder may still be writing.
    await this.#decoder?.done.catch(() => {});
    await this.#writer?.abort();
  }

  #end(): void {
    this.#isOver = true;
    this.#options.onEnd?.();
  }

  #count(chunk: Uint8Array): void {
    this.#size += chunk.length;
    const { maxBytes, size = maxBytes } = this.#options;
    if (this.#size > size && size < maxBytes)
      throw new UploadError("digest", `the content has more than the ${size} bytes that were announced`);
    if (this.#size > maxBytes)
      throw new UploadError("too large", `the content has more than ${maxBytes} bytes`);
    this.#hash.update(chunk);
  }

  #openDecoder(): { stream: ZstdDecompress; done: Promise<void> } {
    const stream = createZstdDecoder();
    const done = this.#recode(stream as AsyncIterable<Buffer>);
    // Awaited at the end, or at the next write.
    done.catch(() => {});
    return { stream, done };
  }

  /** The stored form does not reveal the form of the upload. */
  async #recode(decoded: AsyncIterable<Buffer>): Promise<void> {
    const chunks = this.#counted(decoded);
    const first: Buffer[] = [];
    while (this.#size <= INLINE_BYTES) {
      const next = await chunks.next();
      if (next.done) return this.#keep(first);
      first.push(next.value);
    }
    const all = async function* () {
      yield* first;
      yield* chunks;
    };
    this.#encoding = "zstd";
    for await (const encoded of encodeZstd(all()))
      await this.#keep([encoded]).catch((error: unknown) => {
        this.#storeError = error;
        throw error;
      });
  }

  async *#counted(decoded: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of decoded) {
      this.#count(chunk);
      yield chunk;
    }
  }

  async #decode(chunk: Uint8Array): Promise<void> {
    const { stream, done } = this.#decoder!;
    if (stream.destroyed) await done.catch(this.#asEncodingError);
    if (stream.write(chunk)) return;
    const drained = new Promise<void>((resolve) => stream.once("drain", resolve));
    await Promise.race([drained, done]).catch(this.#asEncodingError);
    // Ended early: the decoded bytes were too many, or could not be stored.
    if (stream.destroyed) await done.catch(this.#asEncodingError);
  }

  async #endDecoder({ stream, done }: { stream: ZstdDecompress; done: Promise<void> }): Promise<void> {
    stream.end();
    await done.catch(this.#asEncodingError);
  }

  #asEncodingError = (error: unknown): never => {
    if (error instanceof UploadError || error === this.#storeError) throw error;
    throw new UploadError("encoding", "the content is not valid zstd data", { cause: error });
  };
}
