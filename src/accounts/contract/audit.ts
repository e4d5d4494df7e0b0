/** The audit log: who changed what, when and from where. It never contains a secret. */
import type { Accounts } from "./accounts.ts";
import { newTimedId } from "./ids.ts";
import { MAX_ADDRESS_LENGTH } from "./limits.ts";
import type { AccountTransaction } from "../records/schema.ts";

/** The author of a change. */
export interface Author {
  name: string;
  id: string;
  /** The author's address. */
  address: string;
}

/** The server itself, and its operator. */
export const SERVER: Author = { name: "the server", id: "server", address: "" };

export interface AuditEntry {
  /** `token.create` */
  action: string;
  /** Null: a person's own account, or the server. */
  organizationId: string | null;
  /** The name of the object that was changed. */
  target: string;
  targetId: string;
  details?: Readonly<Record<string, string>>;
}

/** Adds a line in the transaction that makes the change. */
export async function addAuditEvent(
  { clock, randomBytes }: Pick<Accounts, "clock" | "randomBytes">,
  transaction: AccountTransaction,
  { author, entry }: { author: Author; entry: AuditEntry },
): Promise<void> {
  const time = clock();
  const { target, targetId, details = {} } = entry;
  const address = author.address.slice(0, MAX_ADDRESS_LENGTH);
  await transaction
    .insertInto("audit_events")
    .values({
      id: newTimedId(time, randomBytes),
      organization_id: entry.organizationId,
      time,
      action: entry.action,
      actor: author.name,
      actor_id: author.id,
      target,
      target_id: targetId,
      address,
      details: JSON.stringify(details),
      words: auditWords([
        author.name,
        author.id,
        entry.action,
        target,
        targetId,
        address,
        ...Object.entries(details).flat(),
      ]),
    })
    .execute();
}

/** The text that a search looks through. */
export function auditWords(shown: readonly string[]): string {
  return shown.join("\n").toLowerCase().replaceAll("\0", "").toWellFormed();
}
