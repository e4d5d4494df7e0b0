/**
 * One file per index: `MILLRACE-INDEX-1\n`, the length of the header (4 bytes, little endian), the header (JSON:
 * name, dates, settings of the protocol), zeros up to a multiple of 8, the engine's bytes. Written under a temporary
 * name and renamed, so a reader finds the old file or the new one.
 */
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { isIndexUid } from "./index-uid.ts";
import type { StoredIndex } from "./store.ts";

const MAGIC = "MILLRACE-INDEX-1\n";
const ENDING = ".index";
const TEMPORARY = /\.index\.\d+\.tmp$/;

const headerSchema = z.object({
  uid: z.string().refine(isIndexUid, "is not an index name"),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  protocol: z.object({
    proximityPrecision: z.enum(["byWord", "byAttribute"]).optional(),
    facetSearch: z.boolean().optional(),
    localizedAttributes: z
      .array(z.object({ attributePatterns: z.array(z.string()), locales: z.array(z.string()) }))
      .optional(),
  }),
  /** Of the engine's part. */
  bytes: z.int().min(0),
});

export type IndexFile = Omit<StoredIndex, "index">;

export interface IndexFiles {
  write: (stored: IndexFile) => Promise<void>;
  remove: (uid: string) => Promise<void>;
  /** Every file that can be read, and why the others cannot. */
  readAll: () => Promise<{ indexes: IndexFile[]; problems: { file: string; reason: string }[] }>;
}

export function openIndexFiles(folder: string): IndexFiles {
  const pathOf = (uid: string) => join(folder, `${uid}${ENDING}`);
  return {
    async write(stored) {
      await mkdir(folder, { recursive: true });
      const path = pathOf(stored.uid);
      const temporary = `${path}.${process.pid}.tmp`;
      try {
        const file = await open(temporary, "w");
        try {
          await file.writeFile(encode(stored));
          // Without it a crash right after the rename could leave an empty file under the good name.
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(temporary, path);
      } catch (cause) {
        await rm(temporary, { force: true });
        throw new Error(`The index \`${stored.uid}\` could not be written to ${path}.`, { cause });
      }
    },
    remove: (uid) => rm(pathOf(uid), { force: true }),
    async readAll() {
      await mkdir(folder, { recursive: true });
      const indexes: IndexFile[] = [];
      const problems: { file: string; reason: string }[] = [];
      for (const name of (await readdir(folder)).sort()) {
        const file = join(folder, name);
        // Left behind by a process that died while it was writing.
        if (TEMPORARY.test(name)) await rm(file, { force: true });
        if (!name.endsWith(ENDING)) continue;
        try {
          const stored = decode(await readFile(file));
          if (`${stored.uid}${ENDING}` !== name) throw new Error(`it holds the index \`${stored.uid}\``);
          indexes.push(stored);
        } catch (error) {
          problems.push({ file, reason: error instanceof Error ? error.message : String(error) });
        }
      }
      return { indexes, problems };
    },
  };
}

function encode({ uid, createdAt, updatedAt, protocol, bytes }: IndexFile): Uint8Array {
  const header = { uid, createdAt, updatedAt, protocol, bytes: bytes.byteLength };
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
    throw new Error("it is not an index file of this version");
  if (file.byteLength < MAGIC.length + 4) throw new Error("it is cut short");
  const length = file.readUInt32LE(MAGIC.length);
  const start = bodyStart(length);
  if (start > file.byteLength) throw new Error("it is cut short");
  const header = headerSchema.parse(
    JSON.parse(file.toString("utf8", MAGIC.length + 4, MAGIC.length + 4 + length)),
  );
  if (file.byteLength - start !== header.bytes) throw new Error("it is cut short");
  return {
    uid: header.uid,
    createdAt: new Date(header.createdAt),
    updatedAt: new Date(header.updatedAt),
    protocol: header.protocol,
    // A copy of its own starts at offset 0, so that the engine can lay typed arrays over it.
    bytes: new Uint8Array(file.subarray(start)),
  };
}

function bodyStart(headerLength: number): number {
  return Math.ceil((MAGIC.length + 4 + headerLength) / 8) * 8;
}
