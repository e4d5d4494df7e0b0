import type { Accounts } from "./accounts.ts";
import type { Caller } from "./change-records.ts";
import { askDatabase } from "./database-away.ts";
import { findOrganization } from "./find-organization.ts";
import { quoteReference } from "./ids.ts";
import type { OrganizationInput } from "./organizations.ts";
import { type Page, type PageInput, readPage, toPage } from "./page.ts";

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

/** Newest first. */
export async function listAuditEvents(
  accounts: Accounts,
  caller: Caller,
  input: OrganizationInput & PageInput & { action?: string },
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
