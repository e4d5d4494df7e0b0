/** The server's first organization, and the token that an operator sets for machines that set themselves up. */
import { inTransaction } from "#platform/database/database.ts";
import type { Accounts } from "../contract/accounts.ts";
import { addToken } from "../changes/add-token.ts";
import { addAuditEvent, SERVER } from "../contract/audit.ts";
import { addChangeEvents } from "../events/add-change-events.ts";
import { changeRecords } from "../changes/change-records.ts";
import { newId } from "../contract/ids.ts";
import { hashSecret, isOwnerTokenForm } from "../contract/token-text.ts";
import { addMember, createUser } from "./users.ts";
import type { AccountTransaction } from "../records/schema.ts";

const FIRST_NAME = "default";
const FIRST_OWNER_NAME = "owner";
const OWNER_TOKEN_NAME = "MILLRACE_OWNER_TOKEN";

export interface FirstOrganization {
  id: string;
  /** Without an owner, a link has to make one. */
  hasOwner: boolean;
}

/** Makes the server's first organization unless it exists. Several servers may do so at the same time. */
export async function ensureFirstOrganization(accounts: Accounts): Promise<FirstOrganization> {
  return inTransaction(accounts.database, async (transaction) => {
    const id = newId("org", accounts.randomBytes);
    const made = await transaction
      .insertInto("organizations")
      .values({ id, name: FIRST_NAME, is_first: 1, created_at: accounts.clock() })
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .execute();
    if (made.length > 0) {
      const entry = { action: "organization.create", organizationId: id, target: FIRST_NAME, targetId: id };
      await addAuditEvent(accounts, transaction, { author: SERVER, entry });
      const place = { kind: accounts.database.kind, time: accounts.clock() };
      await addChangeEvents(place, transaction, { author: SERVER, entries: [entry] });
    }
    const first = await findFirst(transaction);
    return { id: first, hasOwner: (await findFirstOwner(transaction, first)) !== null };
  });
}

/**
 * Gives the operator's chosen token to the first owner, who is created if there is none. A former token ends, even without a
 * new one. A revoked token stays revoked.
 * @param token MILLRACE_OWNER_TOKEN
 * @throws Error when the token is malformed
 */
export async function setOwnerToken(accounts: Accounts, token: string | null): Promise<void> {
  if (token !== null && !isOwnerTokenForm(token))
    throw new Error(
      `${OWNER_TOKEN_NAME} must be "mr_user_" followed by at least 32 random characters from 0-9, A-Z, a-z, _ and -, for example from: echo "mr_user_$(openssl rand -hex 32)"`,
    );
  const hash = token === null ? null : hashSecret(token);
  await ensureFirstOrganization(accounts);
  const isRevoked = await changeRecords(accounts, SERVER, async ({ transaction, audit, forget }) => {
    const organizationId = await findFirst(transaction);
    const rows = await transaction
      .selectFrom("tokens")
      .select(["id", "hash", "revoked_at", "user_id"])
      .where("type", "=", "user")
      .where("created_by", "is", null)
      .execute();
    const event = { organizationId, target: OWNER_TOKEN_NAME };
    for (const { id } of rows.filter((row) => row.hash !== hash && row.revoked_at === null)) {
      await transaction
        .updateTable("tokens")
        .set({ revoked_at: accounts.clock() })
        .where("id", "=", id)
        .execute();
      forget(id);
      await audit({ ...event, action: "token.revoke", targetId: id });
    }
    if (token === null) return false;
    const former = rows.find((row) => row.hash === hash);
    if (former && former.revoked_at !== null) return true;
    const owner = await ensureOwner(accounts, transaction, organizationId);
    if (former) {
      const own = { organization_id: organizationId, user_id: former.user_id ?? "" };
      if (await isOwner(transaction, own)) return false;
      await transaction.updateTable("tokens").set({ user_id: owner }).where("id", "=", former.id).execute();
      forget(former.id);
      return false;
    }
    const id = await addToken(accounts, transaction, {
      type: "user",
      secret: token,
      name: OWNER_TOKEN_NAME,
      organizationId: null,
      userId: owner,
      createdBy: null,
      expiresAt: null,
    });
    await audit({ ...event, action: "token.create", targetId: id });
    return false;
  });
  accounts.ownerTokenHash = hash;
  if (isRevoked)
    accounts.log.warn(
      `The token in ${OWNER_TOKEN_NAME} was revoked and stays revoked. Set another token, or remove it.`,
    );
}

async function ensureOwner(
  accounts: Accounts,
  transaction: AccountTransaction,
  organizationId: string,
): Promise<string> {
  const found = await findFirstOwner(transaction, organizationId);
  if (found !== null) return found;
  const userId = await createUser(accounts, transaction, {
    name: FIRST_OWNER_NAME,
    mail: null,
    isMailVerified: false,
  });
  await addMember(accounts, transaction, { organizationId, userId, role: "owner" });
  return userId;
}

async function findFirst(transaction: AccountTransaction): Promise<string> {
  const query = transaction.selectFrom("organizations").select("id").where("is_first", "=", 1);
  return (await query.executeTakeFirstOrThrow()).id;
}

async function findFirstOwner(
  transaction: AccountTransaction,
  organizationId: string,
): Promise<string | null> {
  const row = await transaction
    .selectFrom("members")
    .select("user_id")
    .where("organization_id", "=", organizationId)
    .where("role", "=", "owner")
    .orderBy("created_at")
    .orderBy("user_id")
    .executeTakeFirst();
  return row?.user_id ?? null;
}

async function isOwner(
  transaction: AccountTransaction,
  { organization_id, user_id }: { organization_id: string; user_id: string },
): Promise<boolean> {
  const query = transaction.selectFrom("members").select("role");
  const row = await query
    .where("organization_id", "=", organization_id)
    .where("user_id", "=", user_id)
    .executeTakeFirst();
  return row?.role === "owner";
}
