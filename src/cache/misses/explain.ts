/**
 * Once a result that was missed is written: what is another than at the last result of the same work? Also of those that
 * nobody missed, the work is remembered, because the next build is compared with them.
 */
import { DamagedBlobError } from "#platform/blobs/open-blob.ts";
import { MissingBytesError } from "#platform/blobs/byte-store.ts";
import type { Blobs } from "#platform/blobs/blobs.ts";
import { findEntry } from "../entries.ts";
import type { CacheDatabase } from "../schema.ts";
import { compareActions, type ReadAction, readAction, taskOf, workOf } from "./compare-actions.ts";
import { compareBuilds, projectOf } from "./compare-builds.ts";
import { type Difference, limitDifferences } from "./difference.ts";
import { MAX_COMPARED_BYTES } from "./limits.ts";

export interface WrittenResult {
  /** Where requests are counted. */
  namespaceId: string;
  /** Where it was written. */
  writtenTo: string;
  key: string;
  at: number;
}

interface Earlier {
  key: string;
  written_at: number;
}

export function createExplaining({
  database,
  blobs,
}: {
  database: CacheDatabase;
  blobs: Blobs;
}): (result: WrittenResult) => Promise<void> {
  const read = async (namespaceId: string, key: string): Promise<Uint8Array | null> => {
    const entry = await findEntry(database, namespaceId, key);
    if (!entry || entry.blob.size > MAX_COMPARED_BYTES) return null;
    try {
      const reader = await blobs.open(entry.blob);
      try {
        const chunks: Uint8Array[] = [];
        for await (const chunk of reader.bytes()) chunks.push(chunk);
        return Buffer.concat(chunks);
      } finally {
        await reader.close();
      }
    } catch (error) {
      if (error instanceof DamagedBlobError || error instanceof MissingBytesError) return null;
      throw error;
    }
  };

  return async (result) => {
    const { namespaceId, writtenTo, key } = result;
    const readIn = async (name: string) =>
      (await read(writtenTo, name)) ?? (writtenTo === namespaceId ? null : await read(namespaceId, name));
    const miss = await findMiss(database, result);
    const project = projectOf(key);
    const action = project === null ? await readAction(key, readIn) : null;
    // What is made says more than target and mnemonic: many actions may have the same.
    const works = [project ?? (action && workOf(action)), miss && taskOf(miss)].filter(
      (work) => work != null,
    );
    if (miss) {
      const earlier = await findEarlier(database, result, works);
      const differences =
        earlier &&
        (await compare({ key, action, readIn, readEarlier: (name) => read(namespaceId, name) }, earlier));
      await noteWritten(database, result, { earlier, differences });
    }
    // What an overlay holds is nobody else's earlier result.
    if (writtenTo === namespaceId) await rememberWork(database, result, works);
  };
}

interface Compared {
  key: string;
  action: ReadAction | null;
  readIn: (name: string) => Promise<Uint8Array | null>;
  readEarlier: (name: string) => Promise<Uint8Array | null>;
}

async function compare(
  { key, action, readIn, readEarlier }: Compared,
  earlier: Earlier,
): Promise<Difference[] | null> {
  if (action) {
    const before = await readAction(earlier.key, readEarlier);
    return before && compareActions(before, action);
  }
  if (projectOf(key) === null) return null;
  const [before, after] = [await readEarlier(earlier.key), await readIn(key)];
  return before && after && compareBuilds(textOf(before), textOf(after));
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString();

const findMiss = ({ db }: CacheDatabase, { namespaceId, key }: WrittenResult) =>
  db
    .selectFrom("cache_misses")
    .select(["target", "mnemonic"])
    .where("namespace_id", "=", namespaceId)
    .where("key", "=", key)
    .executeTakeFirst();

/** Of the first of the works that has one. */
async function findEarlier(
  { db }: CacheDatabase,
  { namespaceId, key }: WrittenResult,
  works: readonly string[],
): Promise<Earlier | null> {
  if (works.length === 0) return null;
  const rows = await db
    .selectFrom("cache_work")
    .select(["work", "key", "written_at"])
    .where("namespace_id", "=", namespaceId)
    .where("work", "in", works)
    .where("key", "!=", key)
    .execute();
  return works.map((work) => rows.find((row) => row.work === work)).find(Boolean) ?? null;
}

interface Explained {
  earlier: Earlier | null;
  differences: Difference[] | null;
}

async function noteWritten(
  { db }: CacheDatabase,
  { namespaceId, key, at }: WrittenResult,
  { earlier, differences }: Explained,
): Promise<void> {
  await db
    .updateTable("cache_misses")
    .set({
      written_at: at,
      ...(earlier && { nearest_key: earlier.key, nearest_at: earlier.written_at }),
      differences: differences && JSON.stringify(limitDifferences(differences)),
    })
    .where("namespace_id", "=", namespaceId)
    .where("key", "=", key)
    .execute();
}

async function rememberWork(
  { db }: CacheDatabase,
  { namespaceId, key, at }: WrittenResult,
  works: readonly string[],
): Promise<void> {
  if (works.length === 0) return;
  await db
    .insertInto("cache_work")
    .values(works.map((work) => ({ namespace_id: namespaceId, work, key, written_at: at })))
    .onConflict((conflict) => conflict.columns(["namespace_id", "work"]).doUpdateSet({ key, written_at: at }))
    .execute();
}
