/** The audit log: who changed what, when and from where. It never has a secret. */
import type { Accounts, AccountTransaction } from "./accounts.ts";
import type { Author, Caller } from "./change-records.ts";
import { askDatabase } from "./database-away.ts";
import { newTimedId, quoteReference } from "./ids.ts";
import { MAX_ADDRESS_LENGTH } from "./limits.ts";
import { findOrganization } from "./find-organization.ts";
import { type Page, type PageInput, readPage, toPage } from "./page.ts";

export interface AuditEntry {
  /** `token.create` */
  action: string;
  /** Null: a person's own account, or the server. */
  organizationId: string | null;
  /** What was changed, by its name. */
  target: string;
  targetId: string;
  details?: Readonly<Record<string, string>>;
}

export interface AuditEvent {
  id: string;
  time: number;
  action: string;
  actor: string;
  actorId: string;
  target: string;
  targetId: string;
  address: string;
  details: Readonly<Record<string, string>>;
}

/** Adds a line in the transaction that makes the change. */
export async function addAuditEvent(
  { clock, randomBytes }: Pick<Accounts, "clock" | "randomBytes">,
  transaction: AccountTransaction,
  { author, entry }: { author: Author; entry: AuditEntry },
): Promise<void> {
  const time = clock();
  await transaction
    .insertInto("audit_events")
    .values({
      id: newTimedId(time, randomBytes),
      organization_id: entry.organizationId,
      time,
      action: entry.action,
      actor: author.name,
      actor_id: author.id,
      target: entry.target,
      target_id: entry.targetId,
      address: author.address.slice(0, MAX_ADDRESS_LENGTH),
      details: JSON.stringify(entry.details ?? {}),
    })
    .execute();
}

/** Newest first. */
export async function listAuditEvents(
  accounts: Accounts,
  caller: Caller,
  input: PageInput & { organization?: string; action?: string },
): Promise<Page<AuditEvent>> {
  const page = readPage(input, "text");
  const { id } = await findOrganization(accounts, caller, {
    reference: input.organization,
    action: "audit.list",
  });
  let query = accounts.db.selectFrom("audit_events").selectAll().where("organization_id", "=", id);
  if (input.action) query = query.where("action", "=", quoteReference(input.action));
  if (page.after) query = query.where("id", "<", page.after.id);
  const rows = await askDatabase(() => query.orderBy("id", "desc").limit(page.limit).execute());
  return toPage(rows, page, {
    keyOf: (row) => ({ sort: "", id: row.id }),
    itemOf: (row) => ({
      id: row.id,
      time: row.time,
      action: row.action,
      actor: row.actor,
      actorId: row.actor_id,
      target: row.target,
      targetId: row.target_id,
      address: row.address,
      // Written above.
      details: JSON.parse(row.details) as Record<string, string>,
    }),
  });
}
