/** People, and the organizations that they belong to. */
import type { Accounts } from "../contract/accounts.ts";
import { refuseDuplicate } from "../changes/change-records.ts";
import { checkMail, checkName } from "../contract/check-input.ts";
import { newId } from "../contract/ids.ts";
import { MAX_MEMBERS, MAX_ORGANIZATIONS_PER_USER } from "../contract/limits.ts";
import { Refused } from "../contract/refused.ts";
import type { AccountTransaction, Role } from "../records/schema.ts";

export interface NewUser {
  name: string;
  mail: string | null;
  /** Whether the person has proved that the address is theirs, or an owner has invited it. */
  isMailVerified: boolean;
}

type Making = Pick<Accounts, "clock" | "randomBytes">;

/**
 * Makes a person. A proved address is taken from a person who only claimed it.
 * @returns the person's id
 * @throws Refused `invalid_argument`; `already_exists` when another person has the address
 */
export async function createUser(
  { clock, randomBytes }: Making,
  transaction: AccountTransaction,
  { name, mail, isMailVerified }: NewUser,
): Promise<string> {
  const id = newId("usr", randomBytes);
  const checked = mail === null ? null : checkMail(mail);
  if (checked !== null && isMailVerified) await takeClaimedMail(transaction, checked, id);
  const adding = transaction
    .insertInto("users")
    .values({
      id,
      name: checkName(name, "name"),
      mail: checked,
      mail_verified_at: checked !== null && isMailVerified ? clock() : null,
      created_at: clock(),
      last_seen_at: null,
    })
    .execute();
  await refuseDuplicate(adding, `${checked} belongs to another person`, "mail");
  return id;
}

/** Notes that a person has proved an address. It is taken from a person who only claimed it. */
export async function proveMail(
  { clock }: Making,
  transaction: AccountTransaction,
  { userId, mail }: { userId: string; mail: string },
): Promise<void> {
  const checked = checkMail(mail);
  await takeClaimedMail(transaction, checked, userId);
  const proving = transaction
    .updateTable("users")
    .set({ mail: checked, mail_verified_at: clock() })
    .where("id", "=", userId)
    .execute();
  await refuseDuplicate(proving, `${checked} belongs to another person`, "mail");
}

async function takeClaimedMail(transaction: AccountTransaction, mail: string, userId: string): Promise<void> {
  await transaction
    .updateTable("users")
    .set({ mail: null })
    .where("mail", "=", mail)
    .where("mail_verified_at", "is", null)
    .where("id", "!=", userId)
    .execute();
}

/**
 * Adds a person to an organization, or does nothing when they belong to it; their role then stays.
 * @returns whether they were added
 * @throws Refused `resource_exhausted`
 */
export async function addMember(
  { clock }: Making,
  transaction: AccountTransaction,
  { organizationId, userId, role }: { organizationId: string; userId: string; role: Role },
): Promise<boolean> {
  const countOf = async (column: "organization_id" | "user_id", id: string) => {
    const query = transaction.selectFrom("members").where(column, "=", id);
    return (await query.select((row) => row.fn.countAll<number>().as("count")).executeTakeFirstOrThrow())
      .count;
  };
  if ((await countOf("organization_id", organizationId)) >= MAX_MEMBERS)
    throw new Refused("resource_exhausted", `the organization has ${MAX_MEMBERS} members; remove one first`);
  if ((await countOf("user_id", userId)) >= MAX_ORGANIZATIONS_PER_USER)
    throw new Refused(
      "resource_exhausted",
      `the person belongs to ${MAX_ORGANIZATIONS_PER_USER} organizations; leave one first`,
    );
  const added = await transaction
    .insertInto("members")
    .values({ organization_id: organizationId, user_id: userId, role, created_at: clock() })
    .onConflict((conflict) => conflict.columns(["organization_id", "user_id"]).doNothing())
    .returning("user_id")
    .execute();
  return added.length > 0;
}
