import { sql } from "kysely";
import { addUpChanges } from "../records/changes.ts";
import { MAX_ENTRIES, SHRINK_TO } from "../contract/limits.ts";
import { pickOldest } from "../entries/pick-entries.ts";
import type { Removal } from "../entries/remove-entries.ts";
import type { CacheDatabase } from "../records/schema.ts";
import type { Tool } from "../contract/tools.ts";

export interface ToolName {
  organizationId: string;
  tool: Tool;
}

interface QuotaOptions {
  database: CacheDatabase;
  removal: Removal;
  clock: () => number;
  quotaBytes: number;
}

/** If the namespace of a tool and its overlays are above the quota together, removes the least recently used entries. */
export async function shrink(options: QuotaOptions, name: ToolName, signal: AbortSignal): Promise<void> {
  const { database, removal, clock, quotaBytes } = options;
  let isAbove = false;
  while (!signal.aborted) {
    await addUpChanges(database, clock());
    const namespaces = await measure(database, name);
    const bytes = namespaces.reduce((sum, one) => sum + one.size_bytes, 0);
    const entries = namespaces.reduce((sum, one) => sum + one.entries, 0);
    isAbove ||= bytes > quotaBytes || entries > MAX_ENTRIES;
    const surplus = {
      bytes: bytes - Math.floor(quotaBytes * SHRINK_TO),
      entries: entries - MAX_ENTRIES,
    };
    if (!isAbove || (surplus.bytes <= 0 && surplus.entries <= 0)) return;
    const removed = await removal.portion(pickOldest(namespaces, surplus), "quota");
    if (!removed) return;
  }
}

const measure = ({ db }: CacheDatabase, { organizationId, tool }: ToolName) =>
  db
    .selectFrom("cache_namespaces")
    .select(["id", "size_bytes", "entries"])
    .select(
      sql<
        number | null
      >`(select min(used_at) from cache_entries where namespace_id = cache_namespaces.id)`.as("oldest"),
    )
    .where("organization_id", "=", organizationId)
    .where("tool", "=", tool)
    .execute();
