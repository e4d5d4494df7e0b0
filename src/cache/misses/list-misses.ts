import type { Selectable } from "kysely";
import { type Actor, type Page, type PageInput, readPage, toPage } from "#accounts/index.ts";
import { namespaceIdOf } from "../namespaces.ts";
import { requireRight } from "../require-right.ts";
import type { CacheDatabase } from "../schema.ts";
import type { Tool } from "../tools.ts";
import type { Difference } from "./difference.ts";
import type { MissTables, RemovalReason } from "./schema.ts";

export interface Miss {
  key: string;
  /** The last time. */
  missedAt: number;
  /** How often since it was first remembered. */
  times: number;
  /**
   * `removed`: it was here before. `incomplete`: it was here, but something that it names was not. `changed`: this key was
   * never seen, and the result of the same work had another key. `new`: nothing like it is known; for a job `nearestAt` and
   * `differences` then describe the last other commit of its project that has stored results.
   */
  reason: "removed" | "incomplete" | "changed" | "new";
  target: string;
  mnemonic: string;
  invocation: string;
  writtenAt: number | null;
  removedAt: number | null;
  removedBecause: RemovalReason | "";
  nearestKey: string;
  nearestAt: number | null;
  /** Null: the result was not written since, or its inputs or the earlier result's inputs are unknown. */
  differences: readonly Difference[] | null;
}

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
