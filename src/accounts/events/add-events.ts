import { type Insertable, sql } from "kysely";
import type { DatabaseKind } from "#platform/database/columns.ts";
import type { AccountTransaction } from "../records/schema.ts";
import type { EventTables } from "../records/event-migration.ts";

export type NewEvent = Insertable<EventTables["events"]>;

/**
 * @param transaction in PostgreSQL it gets its own number before the events get theirs: so a reader knows which transactions
 * a missing event may still come from (`event-feed.ts`)
 */
export async function addEvents(
  kind: DatabaseKind,
  transaction: AccountTransaction,
  rows: readonly NewEvent[],
): Promise<void> {
  if (rows.length === 0) return;
  if (kind === "postgres") await sql`select txid_current()`.execute(transaction);
  await transaction.insertInto("events").values(rows).execute();
}
