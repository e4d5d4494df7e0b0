import { sql } from "kysely";
import type { Actor } from "#accounts/index.ts";
import type { LargeEntry } from "../contract/cache.ts";
import { LARGE_ENTRY_BYTES, MAX_LISTED_ENTRIES } from "../contract/limits.ts";
import { requireRight } from "../access/require-right.ts";
import type { CacheDatabase } from "../records/schema.ts";
import type { Tool } from "../contract/tools.ts";

/**
 * The largest entries of the trusted namespaces, the largest first; small ones are left out.
 * @param tool undefined: all tools
 * @throws Refused
 */
export async function listLargeEntries(
  { db }: CacheDatabase,
  actor: Actor,
  tool?: Tool,
): Promise<LargeEntry[]> {
  const organizationId = requireRight(actor, "cache.usage", tool);
  let query = db
    .selectFrom("cache_namespaces")
    .select(["id", "tool"])
    .where("organization_id", "=", organizationId)
    .where("overlay", "=", "");
  if (tool !== undefined) query = query.where("tool", "=", tool);
  const namespaces = await query.execute();
  // One query each: then each reads the end of an index, however many entries there are.
  const found = await Promise.all(namespaces.map((namespace) => listLargest(db, namespace)));
  return found
    .flat()
    .toSorted((one, other) => other.size - one.size || (one.key < other.key ? -1 : 1))
    .slice(0, MAX_LISTED_ENTRIES);
}

async function listLargest(
  db: CacheDatabase["db"],
  { id, tool }: { id: string; tool: Tool },
): Promise<LargeEntry[]> {
  const rows = await db
    .selectFrom("cache_entries")
    .leftJoin("cache_writers", "cache_writers.id", "cache_entries.writer_id")
    .select(["key", "size", "written_at", "used_at", "cache_writers.name as writer"])
    .where("namespace_id", "=", id)
    // As in the index's condition: with a parameter the index would not be used.
    .where(sql<boolean>`size >= ${sql.lit(LARGE_ENTRY_BYTES)}`)
    .orderBy("size", "desc")
    .limit(MAX_LISTED_ENTRIES)
    .execute();
  return rows.map(({ key, size, written_at, used_at, writer }) => ({
    tool,
    key,
    size,
    writtenAt: written_at,
    usedAt: used_at,
    writer: writer ?? "",
  }));
}
