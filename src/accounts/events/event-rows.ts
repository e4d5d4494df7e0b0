import { type Selectable, sql } from "kysely";
import type { StoredEvent } from "../contract/events.ts";
import type { AccountDatabase } from "../records/schema.ts";
import type { EventTables } from "../records/event-migration.ts";

export function selectEvents({ db }: Pick<AccountDatabase, "db">) {
  return db.selectFrom("events").selectAll();
}

export const eventOf = (row: Selectable<EventTables["events"]>): StoredEvent => ({
  id: row.id,
  organizationId: row.organization_id,
  time: row.time,
  kind: row.kind,
  subject: row.subject,
  projectId: row.project_id,
  actor: row.actor,
  actorId: row.actor_id,
  text: row.text,
  isRefused: row.is_refused === 1,
});

/** A number greater than that of every transaction that already has one. PostgreSQL. */
export async function takeTransactionNumber({ db }: Pick<AccountDatabase, "db">): Promise<number> {
  const { rows } = await sql<{ number: number }>`select txid_current() as number`.execute(db);
  return rows[0]?.number ?? 0;
}

/** The number below which all transactions have ended. PostgreSQL. */
export async function readOldestTransaction({ db }: Pick<AccountDatabase, "db">): Promise<number> {
  const { rows } = await sql<{
    number: number;
  }>`select txid_snapshot_xmin(txid_current_snapshot()) as number`.execute(db);
  return rows[0]?.number ?? 0;
}

/** The highest number that any writer took, committed or not. PostgreSQL. */
export async function readLastNumber({ db }: Pick<AccountDatabase, "db">): Promise<number> {
  const { rows } = await sql<{
    number: number;
  }>`select case when is_called then last_value else 0 end as number from events_id_seq`.execute(db);
  return rows[0]?.number ?? 0;
}
