/**
 * Every change of a record: in one transaction with its line of the audit log; then the log, this process's memory, and mails
 * to the account's person.
 */
import { inTransaction, isDuplicate } from "#platform/database/database.ts";
import type { Accounts } from "../contract/accounts.ts";
import type { Actor } from "../contract/actor.ts";
import { addAuditEvent, type AuditEntry, type Author } from "../contract/audit.ts";
import { askDatabase } from "../contract/database-away.ts";
import { addChangeEvents } from "../events/add-change-events.ts";
import { Refused } from "../contract/refused.ts";
import type { AccountTransaction } from "../records/schema.ts";
import { tellByMail } from "./tell-by-mail.ts";

/** The caller of an operation. */
export interface Caller {
  actor: Actor;
  /** The caller's address. */
  address: string;
  /** Called by a create once it is allowed, before anything else; by throwing it ends a create that was already done. */
  admitted?: () => Promise<void>;
  /** Stores a create's answer in the create's own transaction, so that both or neither exist. */
  record?: (transaction: AccountTransaction, answer: unknown) => Promise<void>;
}

export interface Change {
  transaction: AccountTransaction;
  /** Adds a line to the audit log. */
  audit: (entry: AuditEntry) => Promise<void>;
  /** Takes the ids of tokens, browsers, people, organizations and projects whose rights change. */
  forget: (...ids: string[]) => void;
}

export function authorOf({ actor, address }: Caller): Author {
  return { name: actor.name, id: actor.kind === "user" ? actor.userId : actor.tokenId, address };
}

/** @param run may run more than once, so it must change only the database */
export async function changeRecords<Result>(
  accounts: Accounts,
  author: Author,
  run: (change: Change) => Promise<Result>,
): Promise<Result> {
  let entries: AuditEntry[] = [];
  const forgotten = new Set<string>();
  const result = await askDatabase(() =>
    inTransaction(accounts.database, async (transaction) => {
      entries = [];
      const answer = await run({
        transaction,
        async audit(entry) {
          await addAuditEvent(accounts, transaction, { author, entry });
          entries.push(entry);
        },
        forget: (...ids) => ids.forEach((id) => forgotten.add(id)),
      });
      const { kind } = accounts.database;
      await addChangeEvents({ kind, time: accounts.clock() }, transaction, { author, entries });
      return answer;
    }),
  );
  if (forgotten.size > 0) accounts.cache.forget(forgotten);
  if (entries.length > 0) accounts.events.wake();
  tellByMail(accounts, author, entries);
  for (const { organizationId, targetId, ...entry } of entries)
    accounts.log.info("audit", {
      ...entry,
      target_id: targetId,
      actor: author.name,
      actor_id: author.id,
      organization_id: organizationId,
      address: author.address,
    });
  return result;
}

/** Adds a row whose name may be taken. */
export async function refuseDuplicate<Result>(
  adding: Promise<Result>,
  message: string,
  field: string,
): Promise<Result> {
  try {
    return await adding;
  } catch (error) {
    if (isDuplicate(error)) throw new Refused("already_exists", message, { field, cause: error });
    throw error;
  }
}
