/**
 * The bodies of writes, from the request until their task is done. Small ones stay in memory and go into the
 * task's row; all others are streamed into files, so that a thousand waiting uploads take disk, not memory.
 */
import { randomUUID } from "node:crypto";
import { type FileHandle, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readStored } from "#platform/http/read-stored.ts";
import { FILE_MODE, makeFolder, syncFolder } from "#platform/files/durable.ts";
import { ApiError, refuseBody } from "../protocol/errors.ts";
import type { SearchLimits } from "../protocol/limits.ts";

/** Bytes, or the name of a file in the payload folder. */
export type PayloadSource = { bytes: Uint8Array } | { file: string };

export interface Payload {
  source: PayloadSource;
  /** In bytes. */
  size: number;
}

/** The part of a payload that stays in memory while its task waits. */
export interface HeldPayload {
  /** null: it is in the task's row. */
  file: string | null;
  size: number;
}

export interface PayloadBody {
  stream: AsyncIterable<Uint8Array> | null;
  /** The number in `Content-Length`; null when the body comes in chunks. */
  declared: number | null;
  /** Longest accepted body in bytes. */
  maximum: number;
}

type PayloadLimits = Pick<SearchLimits, "inlinePayloadBytes" | "waitingPayloadBytes">;

export class PayloadStore {
  readonly #folder: string | null;
  readonly #limits: PayloadLimits;
  #size = 0;

  /** @param folder null keeps everything in memory */
  constructor(folder: string | null, limits: PayloadLimits) {
    this.#folder = folder;
    this.#limits = limits;
  }

  /** Bytes of all payloads that are arriving or wait for their task. */
  get size(): number {
    return this.#size;
  }

  /** Removes files that no task needs; `known` is the number of bytes that wait from before. */
  async open(needed: ReadonlySet<string>, known: number): Promise<void> {
    this.#size = known;
    if (this.#folder === null) return;
    await makeFolder(this.#folder);
    for (const name of await readdir(this.#folder))
      if (!needed.has(name)) await rm(join(this.#folder, name), { force: true });
  }

  /** The source with a path for another thread. */
  locate(source: PayloadSource): PayloadSource {
    return "file" in source ? { file: join(this.#folder ?? "", source.file) } : source;
  }

  inline(bytes: Uint8Array): Payload {
    this.#reserve(bytes.byteLength);
    return { source: { bytes }, size: bytes.byteLength };
  }

  /**
   * Reads a body to its end; when it resolves, the payload is durable or small enough for the task's row.
   * @throws ApiError `payload_too_large`, or `too_many_tasks` when too many bytes already wait; the system's
   * error
   */
  async receive({ stream, declared, maximum }: PayloadBody): Promise<Payload> {
    if (declared !== null && declared <= maximum) this.#checkRoom(declared);
    const source = { headers: { get: () => declared?.toString() ?? null }, body: stream };
    const incoming = new Incoming(this.#folder, this.#limits.inlinePayloadBytes);
    try {
      for await (const chunk of readStored(source, { maxBytes: maximum })) {
        this.#reserve(chunk.byteLength);
        await incoming.add(chunk);
      }
      return { source: await incoming.finish(), size: incoming.size };
    } catch (error) {
      this.#size -= incoming.size;
      await incoming.abandon();
      return refuseBody(error);
    }
  }

  /** For a payload whose task is done or was never made. A file that cannot be removed is removed at the next start. */
  async discard({ file, size }: HeldPayload): Promise<void> {
    this.#size -= size;
    if (file !== null && this.#folder !== null)
      await rm(join(this.#folder, file), { force: true }).catch(() => {});
  }

  #reserve(bytes: number): void {
    this.#checkRoom(bytes);
    this.#size += bytes;
  }

  #checkRoom(bytes: number): void {
    const { waitingPayloadBytes } = this.#limits;
    if (this.#size + bytes <= waitingPayloadBytes) return;
    throw new ApiError(
      "too_many_tasks",
      `${this.#size} bytes of documents and settings are waiting for their tasks; this server accepts at most ${waitingPayloadBytes}. Wait until some tasks are done.`,
      { retryAfterSeconds: 5 },
    );
  }
}

export function held({ source, size }: Payload): HeldPayload {
  return { file: "file" in source ? source.file : null, size };
}

/** A body while it arrives: in memory until it is too long. */
class Incoming {
  readonly #folder: string | null;
  readonly #inlineBytes: number;
  #chunks: Uint8Array[] = [];
  #file: { name: string; handle: FileHandle } | null = null;
  size = 0;

  constructor(folder: string | null, inlineBytes: number) {
    this.#folder = folder;
    this.#inlineBytes = inlineBytes;
  }

  async add(chunk: Uint8Array): Promise<void> {
    this.size += chunk.byteLength;
    this.#chunks.push(chunk);
    if (this.#folder === null || this.size <= this.#inlineBytes) return;
    this.#file ??= await this.#create(this.#folder);
    await this.#spill(this.#file.handle);
  }

  async finish(): Promise<PayloadSource> {
    if (!this.#file) return { bytes: new Uint8Array(Buffer.concat(this.#chunks)) };
    await this.#file.handle.sync();
    await this.#file.handle.close();
    await syncFolder(this.#folder!);
    return { file: this.#file.name };
  }

  async abandon(): Promise<void> {
    if (!this.#file) return;
    await this.#file.handle.close().catch(() => {});
    await rm(join(this.#folder!, this.#file.name), { force: true }).catch(() => {});
  }

  async #create(folder: string): Promise<{ name: string; handle: FileHandle }> {
    const name = randomUUID();
    return { name, handle: await open(join(folder, name), "wx", FILE_MODE) };
  }

  async #spill(handle: FileHandle): Promise<void> {
    const chunks = this.#chunks;
    this.#chunks = [];
    for (const chunk of chunks) await writeAll(handle, chunk);
  }
}

/** On a disk that fills up, a write may write only a part. */
async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.byteLength;) {
    at += (await handle.write(chunk, at)).bytesWritten;
  }
}
