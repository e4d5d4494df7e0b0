/** Revokes a token, and undoes that. */
import type { Selectable } from "kysely";
import type { Accounts } from "../contract/accounts.ts";
import type { Action } from "../contract/authorize.ts";
import { authorOf, type Caller, changeRecords } from "../changes/change-records.ts";
import { invalid } from "../contract/check-input.ts";
import { isSearchable, requireAllowed } from "../changes/find-organization.ts";
import { quoteReference } from "../contract/ids.ts";
import { RESTORE_WITHIN_MS } from "../contract/limits.ts";
import { Refused } from "../contract/refused.ts";
import type { AccountTables, AccountTransaction, TokenType } from "../records/schema.ts";
import { type Token, tokenOf } from "./tokens.ts";

type TokenRow = Selectable<AccountTables["tokens"]> & { owner: string | null };

const ACTIONS: Record<TokenType, Action> = {
  user: "token.user",
  org: "token.org",
  project: "token.project",
  job: "token.job",
};

/** Ends a token immediately. Repeating it changes nothing. */
export async function revokeToken(
  accounts: Accounts,
  caller: Caller,
  { tokenId }: { tokenId: string },
): Promise<{ id: string; name: string }> {
  if (tokenId === "") throw invalid("token_id", "token_id is missing");
  return changeRecords(accounts, authorOf(caller), async ({ transaction, audit, forget }) => {
    const row = await findToken(caller, transaction, tokenId);
    forget(row.id);
    if (row.revoked_at !== null) return { id: row.id, name: row.name };
    await transaction
      .updateTable("tokens")
      .set({ revoked_at: accounts.clock(), revoked_by: authorOf(caller).id })
      .where("id", "=", row.id)
      .execute();
    const organizationId = row.organization_id ?? caller.actor.organizationId;
    const details = { type: row.type };
    await audit({ action: "token.revoke", organizationId, target: row.name, targetId: row.id, details });
    return { id: row.id, name: row.name };
  });
}

/** Undoes a `revokeToken` of a moment ago. Repeating it changes nothing. */
export async function restoreToken(
  accounts: Accounts,
  caller: Caller,
  { tokenId }: { tokenId: string },
): Promise<Token> {
  if (tokenId === "") throw invalid("token_id", "token_id is missing");
  const author = authorOf(caller);
  return changeRecords(accounts, author, async ({ transaction, audit, forget }) => {
    const row = await findToken(caller, transaction, tokenId);
    if (row.revoked_at === null) return tokenOf(row);
    if (row.revoked_by !== author.id)
      // Without the token's name: the refusal is reported in the organization that the call acts in, which may be another one.
      throw new Refused("permission_denied", "only the person who revoked a token may restore it");
    if (accounts.clock() - row.revoked_at > RESTORE_WITHIN_MS)
      throw new Refused(
        "failed_precondition",
        `the token ${row.name} was revoked more than ${RESTORE_WITHIN_MS / 1_000} seconds ago and stays revoked; create a new token`,
      );
    forget(row.id);
    const restored = { revoked_at: null, revoked_by: null };
    await transaction.updateTable("tokens").set(restored).where("id", "=", row.id).execute();
    const organizationId = row.organization_id ?? caller.actor.organizationId;
    const details = { type: row.type };
    await audit({ action: "token.restore", organizationId, target: row.name, targetId: row.id, details });
    return tokenOf(row);
  });
}

/** A token that the caller may revoke. */
async function findToken(
  caller: Caller,
  transaction: AccountTransaction,
  tokenId: string,
): Promise<TokenRow> {
  const found = isSearchable(tokenId)
    ? await transaction
        .selectFrom("tokens")
        .leftJoin("users", "users.id", "tokens.created_by")
        .selectAll("tokens")
        .select("users.name as owner")
        .where("tokens.id", "=", tokenId)
        .executeTakeFirst()
    : undefined;
  const name = `token ${quoteReference(tokenId)}`;
  const action = ACTIONS[found?.type ?? "user"];
  return requireAllowed(caller, { row: found, name, action }, (token) => ({
    organizationId: token.organization_id,
    ...(token.project_id !== null && { projectId: token.project_id }),
    userId: token.user_id,
  }));
}
