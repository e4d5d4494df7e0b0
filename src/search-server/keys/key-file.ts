/**
 * The file of the keys' records: rights and expiry dates, without secrets. A key's value is derived from
 * the master key and its uid.
 */
import { readFile } from "node:fs/promises";
import * as z from "zod";
import { renameDurably, writeDurably } from "#platform/files/durable.ts";
import { asStorageError } from "../protocol/storage-errors.ts";
import { ACTIONS } from "./actions.ts";
import { isIndexPattern } from "./index-patterns.ts";
import { MAX_API_KEYS } from "../protocol/limits.ts";

/** Raised when the file's format changes; a file of an unknown format is put aside, never overwritten. */
const FORMAT_VERSION = 1;

const recordSchema = z.strictObject({
  uid: z.uuid({ version: "v4" }),
  name: z.string().nullable(),
  description: z.string().nullable(),
  actions: z.array(z.enum(ACTIONS)),
  indexes: z.array(z.string().refine(isIndexPattern)),
  expiresAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
const fileSchema = z.strictObject({
  version: z.literal(FORMAT_VERSION),
  keys: z.array(recordSchema).max(MAX_API_KEYS),
});

export type KeyRecord = z.infer<typeof recordSchema>;

export interface KeyFile {
  /** Null: no file yet. `problem`: it was unreadable and has been put aside. @throws the system's error */
  read: () => Promise<{ records: KeyRecord[] | null; problem?: string }>;
  /** @throws the system's error; then the old file stays. */
  write: (records: readonly KeyRecord[]) => Promise<void>;
}

export function openKeyFile(path: string, clock: () => number): KeyFile {
  return {
    async read() {
      let text: string;
      try {
        text = await readFile(path, "utf8");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return { records: null };
        throw error;
      }
      const parsed = fileSchema.safeParse(parse(text));
      if (parsed.success) return { records: parsed.data.keys };
      const aside = `${path}.${clock()}.damaged`;
      await renameDurably(path, aside);
      return {
        records: null,
        problem: `The keys in ${path} could not be read and are now in ${aside}. They do not work until you repair the file and put it back. New default keys were created.`,
      };
    },
    async write(records) {
      try {
        await writeDurably(path, `${JSON.stringify({ version: FORMAT_VERSION, keys: records }, null, 2)}\n`);
      } catch (error) {
        throw asStorageError(error);
      }
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
