import { type Selectable, sql } from "kysely";
import type { Actor } from "#accounts/index.ts";
import type { Grant, Writer } from "../contract/cache.ts";
import { MAX_COUNTED_ENTRIES, MAX_LISTED_WRITERS } from "../contract/limits.ts";
import { requireRight } from "../access/require-right.ts";
import type { CacheDatabase, CacheTables } from "../records/schema.ts";
import type { Tool } from "../contract/tools.ts";

/** @throws Refused */
export async function listWriters({ db }: CacheDatabase, actor: Actor, tool: Tool): Promise<Writer[]> {
  const organizationId = requireRight(actor, "cache.usage", tool);
  // Counting stops early, and reads nothing but an index.
  const entries = sql<number>`(select count(*) from (
    select 1 from cache_entries e where e.writer_id = cache_writers.id and e.namespace_id in (
      select id from cache_namespaces n where n.organization_id = ${organizationId} and n.tool = ${tool})
    limit ${sql.lit(MAX_COUNTED_ENTRIES)}) counted)`;
  const rows = await db
    .selectFrom("cache_writers")
    .selectAll()
    .select(entries.as("entries"))
    .where("organization_id", "=", organizationId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("cache_entries")
          .innerJoin("cache_namespaces", "cache_namespaces.id", "namespace_id")
          .select("cache_entries.writer_id")
          .whereRef("writer_id", "=", "cache_writers.id")
          .where("tool", "=", tool)
          .limit(1),
      ),
    )
    .orderBy("last_at", "desc")
    .orderBy("cache_writers.id")
    .limit(MAX_LISTED_WRITERS)
    .execute();
  return rows.map((row) => ({ ...writerOf(row), entries: Number(row.entries) }));
}

export async function findWriter(
  { db }: CacheDatabase,
  { reads }: Grant,
  key: string,
): Promise<Omit<Writer, "entries"> | undefined> {
  const rows = await db
    .selectFrom("cache_entries")
    .innerJoin("cache_writers", "cache_writers.id", "writer_id")
    .selectAll("cache_writers")
    .select("namespace_id")
    .where("key", "=", key)
    .where("namespace_id", "in", reads)
    .execute();
  const row = reads.map((id) => rows.find(({ namespace_id }) => namespace_id === id)).find(Boolean);
  return row && writerOf(row);
}

function writerOf(row: Selectable<CacheTables["cache_writers"]>): Omit<Writer, "entries"> {
  return {
    id: row.id,
    tokenId: row.token_id,
    name: row.name,
    kind: row.kind,
    projectId: row.project_id,
    subject: row.subject,
    commitSha: row.commit_sha,
    ref: row.ref,
    runUrl: row.run_url,
    firstAt: row.first_at,
    lastAt: row.last_at,
  };
}
