/** A person's own account. */
import type { Accounts } from "../contract/accounts.ts";
import { currentMembership, isOperator, organizationNameOf, type UserActor } from "../contract/actor.ts";
import { authorize, notFound, selfOf } from "../contract/authorize.ts";
import { authorOf, type Caller, changeRecords, refuseDuplicate } from "../changes/change-records.ts";
import { checkMail, checkName, invalid } from "../contract/check-input.ts";
import { askDatabase } from "../contract/database-away.ts";
import { isSearchable } from "../changes/find-organization.ts";
import { quoteReference } from "../contract/ids.ts";
import { type Page, type PageInput, readPage, toPage } from "../contract/page.ts";
import { Refused } from "../contract/refused.ts";
import type { AccountTransaction, Role } from "../records/schema.ts";
import { tellFormerAddress } from "../changes/tell-by-mail.ts";
import { readTwoStep } from "../two-step/two-step.ts";

export interface WhoAmI {
  server: string;
  version: string;
  tokenType: "user" | "org" | "project" | "job" | "browser";
  tokenId: string | null;
  readOnly: boolean;
  userId: string | null;
  user: string | null;
  mail: string | null;
  role: Role | null;
  organization: string | null;
  organizationId: string | null;
  projectId: string | null;
  /** Milliseconds since 1970, null: never. */
  expiresAt: number | null;
  isOperator: boolean;
}

export interface User {
  id: string;
  name: string;
  mail: string | null;
  createdAt: number;
}

export interface Passkey {
  id: string;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
  /** Whether the device checks who uses it. */
  verifiesUser: boolean;
}

export function whoAmI({ origin, version }: Accounts, { actor }: Caller): WhoAmI {
  const refused = authorize(actor, "account.read", selfOf(actor));
  if (refused) throw refused;
  const person = actor.kind === "user" ? actor : null;
  const projectId = "projectId" in actor ? actor.projectId : null;
  const kinds = { user: "user", organization: "org", project: "project", job: "job" } as const;
  return {
    server: origin,
    version,
    tokenType: person?.via === "browser" ? "browser" : kinds[actor.kind],
    tokenId: actor.tokenId,
    readOnly: "readOnly" in actor && actor.readOnly,
    userId: person?.userId ?? null,
    user: person?.name ?? null,
    mail: person?.mail ?? null,
    role: (person && currentMembership(person)?.role) ?? null,
    organization: organizationNameOf(actor),
    organizationId: actor.organizationId,
    projectId,
    expiresAt: actor.expiresAt,
    isOperator: isOperator(actor),
  };
}

/** The calling person, for operations that only people have. @throws Refused `permission_denied` */
export function requirePerson({ actor }: Caller): UserActor {
  const refused = authorize(actor, "account.update", selfOf(actor));
  if (refused) throw refused;
  if (actor.kind !== "user") throw new Refused("permission_denied", "only a person has an account");
  return actor;
}

/** Changes the caller's own name or address. A new address must be proved again. */
export async function updateUser(
  accounts: Accounts,
  caller: Caller,
  input: { name?: string | undefined; mail?: string | undefined },
): Promise<User> {
  const { userId, mail: formerMail, organizationId } = requirePerson(caller);
  const name = input.name === undefined ? undefined : checkName(input.name, "name");
  const mail = input.mail === undefined ? undefined : input.mail === "" ? null : checkMail(input.mail);
  const author = authorOf(caller);
  const { user, lost } = await changeRecords(accounts, author, async ({ transaction, audit, forget }) => {
    const former = await transaction
      .selectFrom("users")
      .selectAll()
      .where("id", "=", userId)
      .executeTakeFirst();
    if (!former) throw new Refused("not_found", `user ${userId} was not found`);
    const isNewMail = mail !== undefined && mail !== former.mail;
    const changed = {
      name: name ?? former.name,
      mail: isNewMail ? mail : former.mail,
      mail_verified_at: isNewMail ? null : former.mail_verified_at,
    };
    const updating = transaction.updateTable("users").set(changed).where("id", "=", userId).execute();
    await refuseDuplicate(updating, `${changed.mail} belongs to another person`, "mail");
    const details = {
      ...(name !== undefined && { name }),
      ...(isNewMail && { mail: mail ?? "", former: formerMail ?? "" }),
    };
    await audit({ action: "user.update", organizationId, target: changed.name, targetId: userId, details });
    forget(userId);
    return {
      user: { id: userId, name: changed.name, mail: changed.mail, createdAt: former.created_at },
      lost: isNewMail && former.mail_verified_at !== null ? former.mail : null,
    };
  });
  if (lost !== null) tellFormerAddress(accounts, author, userId, lost);
  return user;
}

/** The oldest first. */
export async function listPasskeys(
  accounts: Accounts,
  caller: Caller,
  input: PageInput,
): Promise<Page<Passkey>> {
  const { userId } = requirePerson(caller);
  const page = readPage(input, "number");
  let query = accounts.db.selectFrom("passkeys").selectAll().where("user_id", "=", userId);
  if (page.after) {
    const { sort, id } = page.after;
    query = query.where((row) =>
      row.or([row("created_at", ">", sort), row.and([row("created_at", "=", sort), row("id", ">", id)])]),
    );
  }
  const rows = await askDatabase(() => query.orderBy("created_at").orderBy("id").limit(page.limit).execute());
  return toPage(rows, page, {
    keyOf: (row) => ({ sort: row.created_at, id: row.id }),
    itemOf: (row) => ({
      id: row.id,
      name: row.name,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
      verifiesUser: row.verifies_user === 1,
    }),
  });
}

export async function deletePasskey(
  accounts: Accounts,
  caller: Caller,
  { passkeyId }: { passkeyId: string },
): Promise<void> {
  const { userId, organizationId } = requirePerson(caller);
  if (passkeyId === "") throw invalid("passkey_id", "passkey_id is missing");
  await changeRecords(accounts, authorOf(caller), async ({ transaction, audit }) => {
    const passkey = await transaction
      .deleteFrom("passkeys")
      .where("id", "=", isSearchable(passkeyId) ? passkeyId : "")
      .where("user_id", "=", userId)
      .returning(["id", "name"])
      .executeTakeFirst();
    if (!passkey) throw notFound(caller.actor, `passkey ${quoteReference(passkeyId)}`);
    await keepSecondStep(transaction, userId);
    await audit({ action: "passkey.delete", organizationId, target: passkey.name, targetId: passkey.id });
  });
}

/** A person with two-step sign-in keeps a second step in addition to recovery codes. */
async function keepSecondStep(transaction: AccountTransaction, userId: string): Promise<void> {
  const { isOn, totpSince, verifyingPasskeys } = await readTwoStep(transaction, userId);
  if (isOn && totpSince === null && verifyingPasskeys === 0)
    throw new Refused(
      "failed_precondition",
      "this passkey is your second step; set up an app first, or turn two-step sign-in off",
    );
}
