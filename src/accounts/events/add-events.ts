import { type Insertable, sql } from "kysely";
import type { DatabaseKind } from "#platform/database/columns.ts";
import type { AuditEntry, Author } from "../audit.ts";
import type { AccountTransaction } from "../schema.ts";
import { describeChange } from "./describe-change.ts";
import type { EventTables } from "./event-migration.ts";

type NewEvent = Insertable<EventTables["events"]>;

/** Adds what changed, in the transaction that changes it. */
export async function addChangeEvents(
  { kind, time }: { kind: DatabaseKind; time: number },
  transaction: AccountTransaction,
  { author, entries }: { author: Author; entries: readonly AuditEntry[] },
): Promise<void> {
  const rows: NewEvent[] = [];
  for (const entry of entries) {
    const { organizationId, action, targetId } = entry;
    if (organizationId === null) continue;
    const { text, isRefused, projectId } = describeChange(entry);
    rows.push({
      organization_id: organizationId,
      time,
      kind: action,
      subject: targetId,
      project_id: projectId,
      actor: author.name,
      actor_id: author.id,
      text,
      is_refused: isRefused ? 1 : 0,
    });
  }
  await addEvents(kind, transaction, rows);
}

/**
 * @param transaction in PostgreSQL it gets its own number before the events get theirs: only so can a reader know which
 * transactions a missing event may still come from (`event-feed.ts`)
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
