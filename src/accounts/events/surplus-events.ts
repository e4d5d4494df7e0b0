import type { AccountDatabase } from "../records/schema.ts";
import { MAX_EVENTS_KEPT } from "./limits.ts";
import { MAX_SWEPT_AT_ONCE } from "../contract/limits.ts";

/** Deletes the oldest events of one organization that has more than the limit. */
export async function deleteSurplusEvents(
  db: AccountDatabase["db"],
  maxKept = MAX_EVENTS_KEPT,
): Promise<{ numDeletedRows: bigint }> {
  const full = await db
    .selectFrom("events")
    .select("organization_id")
    .groupBy("organization_id")
    .having((row) => row.fn.countAll<number>(), ">", maxKept)
    .limit(1)
    .executeTakeFirst();
  if (!full) return { numDeletedRows: 0n };
  const { organization_id: id } = full;
  const ofIt = db.selectFrom("events").select("id").where("organization_id", "=", id);
  const newest = await ofIt.orderBy("id", "desc").offset(maxKept).limit(1).executeTakeFirstOrThrow();
  const surplus = ofIt.where("id", "<=", newest.id).limit(MAX_SWEPT_AT_ONCE);
  await db.deleteFrom("events").where("id", "in", surplus).execute();
  // Counts as a full batch: another organization may have too many as well.
  return { numDeletedRows: BigInt(MAX_SWEPT_AT_ONCE) };
}
