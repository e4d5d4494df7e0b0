import type { DatabaseKind } from "#platform/database/columns.ts";
import type { AuditEntry, Author } from "../contract/audit.ts";
import type { AccountTransaction } from "../records/schema.ts";
import { addEvents, type NewEvent } from "./add-events.ts";
import { describeChange } from "./describe-change.ts";

/** Adds the events of a change, in the transaction of that change. */
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
