import type { Selectable } from "kysely";
import { type Actor, type Page, type PageInput, readPage, toPage } from "#accounts/index.ts";
import { namespaceIdOf } from "../records/namespaces.ts";
import { requireRight } from "../access/require-right.ts";
import type { CacheDatabase } from "../records/schema.ts";
import type { Tool } from "../contract/tools.ts";
import type { Difference, Miss } from "../contract/misses.ts";
import type { MissTables } from "../records/miss-schema.ts";

/** Latest first. @throws Refused */
export async function listMisses(
  { db }: Pick<CacheDatabase, "db">,
  actor: Actor,
  { tool, ...input }: { tool: Tool } & PageInput,
): Promise<Page<Miss>> {
  const organizationId = requireRight(actor, "cache.usage", tool);
  const page = readPage(input, "number");
  const { after } = page;
  let query = db
    .selectFrom("cache_misses")
    .selectAll()
    .where("namespace_id", "=", namespaceIdOf({ organizationId, tool, overlay: "" }));
  if (after)
    query = query.where(({ or, and, eb }) =>
      or([
        eb("missed_at", "<", after.sort),
        and([eb("missed_at", "=", after.sort), eb("key", ">", after.id)]),
      ]),
    );
  const rows = await query.orderBy("missed_at", "desc").orderBy("key").limit(page.limit).execute();
  return toPage(rows, page, {
    keyOf: ({ missed_at: sort, key: id }) => ({ sort, id }),
    itemOf: toMiss,
  });
}

const toMiss = (row: Selectable<MissTables["cache_misses"]>): Miss => ({
  key: row.key,
  missedAt: row.missed_at,
  times: row.times,
  reason: reasonOf(row),
  target: row.target,
  mnemonic: row.mnemonic,
  invocation: row.invocation,
  writtenAt: row.written_at,
  removedAt: row.removed_at,
  removedBecause: row.removed_because,
  nearestKey: row.nearest_key,
  nearestAt: row.nearest_at,
  // Written by `explain`.
  differences: row.differences === null ? null : (JSON.parse(row.differences) as Difference[]),
});

function reasonOf(row: Selectable<MissTables["cache_misses"]>): Miss["reason"] {
  if (row.is_incomplete !== 0) return "incomplete";
  if (row.removed_at !== null) return "removed";
  return row.nearest_key === "" ? "new" : "changed";
}
