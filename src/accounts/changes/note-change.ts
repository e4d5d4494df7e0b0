import type { AuditEntry } from "../contract/audit.ts";
import { authorOf, type Caller, changeRecords } from "./change-records.ts";
import type { Accounts } from "../contract/accounts.ts";

/** Writes a line of the audit log for a change of another room, whose records change in their own transactions. */
export function noteChange(accounts: Accounts, caller: Caller, entry: AuditEntry): Promise<void> {
  return changeRecords(accounts, authorOf(caller), ({ audit }) => audit(entry));
}
