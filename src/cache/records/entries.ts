/** Looking entries up in the database. */
import { CompiledQuery } from "kysely";
import type { Blob } from "#platform/blobs/blobs.ts";
import type { BlobEncoding } from "#platform/blobs/schema.ts";
import { FIND_AT_ONCE } from "../contract/limits.ts";
import type { CacheDatabase } from "./schema.ts";

/** An entry with its blob, as the database has it. */
export interface EntryRow {
  namespaceId: string;
  key: string;
  meta: string;
  writtenAt: number;
  usedAt: number;
  blob: Blob;
}

interface FoundRow {
  meta: string;
  written_at: number;
  used_at: number;
  digest: string;
  size: number;
  stored_bytes: number;
  encoding: BlobEncoding;
  place: string | null;
  content: Uint8Array | null;
}

const FIND = `select e.meta, e.written_at, e.used_at, b.digest, b.size, b.stored_bytes, b.encoding, b.place, c.content
from cache_entries e join blobs b on b.digest = e.digest left join blob_contents c on c.digest = e.digest
where e.namespace_id = ? and e.key = ? and b.is_damaged = 0`;
const POSTGRES_FIND = FIND.replace("?", "$1").replace("?", "$2");

export async function findEntry(
  { db, kind }: CacheDatabase,
  namespaceId: string,
  key: string,
): Promise<EntryRow | undefined> {
  // Written out: building this query takes longer than running it.
  const query = CompiledQuery.raw(kind === "postgres" ? POSTGRES_FIND : FIND, [namespaceId, key]);
  const { rows } = await db.executeQuery<FoundRow>(query as CompiledQuery<FoundRow>);
  const [row] = rows;
  if (!row) return undefined;
  const { meta, written_at: writtenAt, used_at: usedAt, stored_bytes: storedBytes, ...blob } = row;
  return { namespaceId, key, meta, writtenAt, usedAt, blob: { ...blob, storedBytes } };
}

export interface KnownEntry {
  size: number;
  usedAt: number;
}

interface KnownRow {
  key: string;
  size: number;
  used_at: number;
}

/** The keys as one parameter: a statement of its own for every number of keys takes longer than running it. */
const FIND_KEYS = `select e.key, e.size, e.used_at from json_each(?) k
cross join cache_entries e on e.namespace_id = ? and e.key = k.value
cross join blobs b on b.digest = e.digest where b.is_damaged = 0`;
const POSTGRES_FIND_KEYS = `select e.key, e.size, e.used_at from cache_entries e
join blobs b on b.digest = e.digest where e.namespace_id = $2 and e.key = any($1) and b.is_damaged = 0`;

/** The keys that exist. @param pause between two portions */
export async function findKeys(
  { db, kind }: CacheDatabase,
  namespaceId: string,
  keys: readonly string[],
  pause: () => Promise<void>,
): Promise<Map<string, KnownEntry>> {
  const known = new Map<string, KnownEntry>();
  for (let start = 0; start < keys.length; start += FIND_AT_ONCE) {
    const part = keys.slice(start, start + FIND_AT_ONCE);
    const query =
      kind === "postgres"
        ? CompiledQuery.raw(POSTGRES_FIND_KEYS, [part, namespaceId])
        : CompiledQuery.raw(FIND_KEYS, [JSON.stringify(part), namespaceId]);
    const { rows } = await db.executeQuery<KnownRow>(query as CompiledQuery<KnownRow>);
    for (const { key, size, used_at: usedAt } of rows) known.set(key, { size, usedAt });
    // SQLite answers without a turn of the event loop: other requests get theirs between two portions.
    if (start + FIND_AT_ONCE < keys.length) await pause();
  }
  return known;
}
