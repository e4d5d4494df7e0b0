/**
 * One file per write of an index: `MILLRACE-INDEX-1\n`, the length of the header (4 bytes, little endian), the header
 * (JSON: name, dates, settings of the protocol, the task that made it), zeros up to a multiple of 8, the engine's bytes.
 *
 *   docs.17.index    the index `docs` as batch 17 left it; no file is ever written twice
 *   docs.index       the same, from a version that had one name for each index, or put there by the operator
 *
 * The catalog says which file counts. The header repeats it, in case the catalog is lost.
 */
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { fileTime } from "#platform/database/open-sqlite.ts";
import { removeDurably, renameDurably, TEMPORARY_FILE, writeDurably } from "#platform/files/durable.ts";
import { isIndexUid } from "../protocol/index-uid.ts";
import { keptSettings } from "../settings/kept-settings.ts";
import type { StoredIndex } from "./store.ts";

const MAGIC = "MILLRACE-INDEX-1\n";

/** The name of an index file: the index's name and the batch that wrote it. */
export const INDEX_FILE = /^(?<uid>[A-Za-z0-9_-]+)(?:\.(?<generation>\d{1,15}))?\.index$/;

/** Files left by versions before the catalog that were killed while writing. */
const FORMER_TEMPORARY = /\.index\.\d+\.tmp$/;

const headerSchema = z.object({
  uid: z.string().refine(isIndexUid, "is not an index name"),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  protocol: keptSettings,
  /** The task that last changed the index; absent in files of older versions. */
  task: z.int().min(0).optional(),
  /** Bytes of the engine's part. */
  bytes: z.int().min(0),
});

export type IndexFile = Omit<StoredIndex, "index"> & { task?: number | undefined };

export interface FoundFile {
  name: string;
  uid: string;
  /** The batch that wrote it; null for names without one. */
  generation: number | null;
}

/** The content of a file is wrong; reading it did not fail. */
export class IndexFileDamage extends Error {}

export class IndexFiles {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** @returns the name of the new file. @throws the system's error; then nothing is left behind */
  async write(stored: IndexFile, generation: number): Promise<string> {
    const name = `${stored.uid}.${generation}.index`;
    await writeDurably(this.path(name), encode(stored));
    return name;
  }

  remove(name: string): Promise<void> {
    return removeDurably(this.path(name));
  }

  /** @throws IndexFileDamage, or the system's error */
  async read(name: string): Promise<IndexFile> {
    return decode(await readFile(this.path(name)));
  }

  rename(from: string, to: string): Promise<void> {
    return renameDurably(this.path(from), this.path(to));
  }

  /** Every index file; files that a killed process left half written are removed. */
  async find(): Promise<FoundFile[]> {
    const found: FoundFile[] = [];
    for (const name of (await readdir(this.folder)).sort()) {
      const { uid, generation } = INDEX_FILE.exec(name)?.groups ?? {};
      if (TEMPORARY_FILE.test(name) || FORMER_TEMPORARY.test(name))
        await rm(this.path(name), { force: true });
      else if (uid !== undefined && isIndexUid(uid)) {
        found.push({ name, uid, generation: generation === undefined ? null : Number(generation) });
      }
    }
    return found;
  }
}

/** The new name of an unusable file, which is not recognized as an index file. */
export function asideName(name: string, now: Date): string {
  return `${name}.unusable-${fileTime(now)}`;
}

function encode({ uid, createdAt, updatedAt, protocol, task, bytes }: IndexFile): Uint8Array {
  const header = { uid, createdAt, updatedAt, protocol, task, bytes: bytes.byteLength };
  const json = Buffer.from(JSON.stringify(header));
  const start = bodyStart(json.byteLength);
  const file = Buffer.alloc(start + bytes.byteLength);
  file.write(MAGIC, "latin1");
  file.writeUInt32LE(json.byteLength, MAGIC.length);
  json.copy(file, MAGIC.length + 4);
  file.set(bytes, start);
  return file;
}

function decode(file: Buffer): IndexFile {
  if (file.toString("latin1", 0, MAGIC.length) !== MAGIC)
    throw new IndexFileDamage("it is not an index file of this version");
  if (file.byteLength < MAGIC.length + 4) throw new IndexFileDamage("it is cut short");
  const length = file.readUInt32LE(MAGIC.length);
  const start = bodyStart(length);
  if (start > file.byteLength) throw new IndexFileDamage("it is cut short");
  const header = readHeader(file.toString("utf8", MAGIC.length + 4, MAGIC.length + 4 + length));
  if (file.byteLength - start !== header.bytes) throw new IndexFileDamage("it is cut short");
  return {
    uid: header.uid,
    createdAt: new Date(header.createdAt),
    updatedAt: new Date(header.updatedAt),
    protocol: header.protocol,
    task: header.task,
    // A separate copy starts at offset 0, so that the engine can lay typed arrays over it.
    bytes: new Uint8Array(file.subarray(start)),
  };
}

function readHeader(json: string): z.infer<typeof headerSchema> {
  try {
    return headerSchema.parse(JSON.parse(json));
  } catch (cause) {
    throw new IndexFileDamage("its header is damaged", { cause });
  }
}

function bodyStart(headerLength: number): number {
  return Math.ceil((MAGIC.length + 4 + headerLength) / 8) * 8;
}
