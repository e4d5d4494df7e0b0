/** Adds to the usage counts of organizations. */
import { sql } from "kysely";
import type { AccountTransaction, UsageKind } from "../records/schema.ts";

export interface Counted {
  organizationId: string;
  /** "": the whole organization. */
  projectId: string;
  kind: UsageKind;
  /** Days since 1970, in UTC. */
  day: number;
  count: number;
}

export async function addUsage(transaction: AccountTransaction, counted: readonly Counted[]): Promise<void> {
  // All servers use this order, so that they wait for each other without a deadlock.
  const nameOf = (one: Counted) => JSON.stringify([one.organizationId, one.projectId, one.day, one.kind]);
  const sorted = counted.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  for (const { organizationId, projectId, kind, day, count } of sorted) {
    // An organization that was deleted in the meantime has nothing to count.
    await transaction
      .insertInto("usage_counts")
      .columns(["organization_id", "project_id", "day", "kind", "count"])
      .expression((query) =>
        query
          .selectFrom("organizations")
          .select([
            "id",
            sql<string>`cast(${projectId} as text)`.as("project_id"),
            sql<number>`cast(${day} as bigint)`.as("day"),
            sql<UsageKind>`cast(${kind} as text)`.as("kind"),
            sql<number>`cast(${count} as bigint)`.as("count"),
          ])
          .where("id", "=", organizationId),
      )
      .onConflict((conflict) =>
        conflict.columns(["organization_id", "project_id", "day", "kind"]).doUpdateSet((row) => ({
          count: sql<number>`${row.ref("usage_counts.count")} + excluded.count`,
        })),
      )
      .execute();
  }
}
