import type { Accounts } from "../contract/accounts.ts";
import { Refused } from "../contract/refused.ts";
import type { AccountTransaction } from "../records/schema.ts";
import { GITHUB_ISSUER } from "./providers/github-provider.ts";

export type SignInMethod = "passkey" | "oidc" | "github" | "mail";

const ORDER: readonly SignInMethod[] = ["passkey", "oidc", "github", "mail"];

/**
 * An owner gets in by passkey only when it has verified them: a person who has nothing else cannot become one.
 * @throws Refused `failed_precondition`
 */
export async function requireWayForOwner(
  transaction: AccountTransaction,
  { userId, name }: { userId: string; name: string },
): Promise<void> {
  const methods = (await readSignInMethods(transaction, [userId])).get(userId) ?? [];
  if (methods.length !== 1 || methods[0] !== "passkey") return;
  const passkeys = await transaction
    .selectFrom("passkeys")
    .select("verifies_user")
    .where("user_id", "=", userId)
    .execute();
  if (passkeys.every((row) => row.verifies_user === 0))
    throw new Refused(
      "failed_precondition",
      `${name} signs in only with a passkey that does not verify them, which is not allowed for owners; they must first add a passkey that does, or prove a mail address`,
    );
}

/** The ways in which these people can sign in, by their ids. */
export async function readSignInMethods(
  db: Accounts["db"] | AccountTransaction,
  userIds: readonly string[],
): Promise<Map<string, SignInMethod[]>> {
  const byUser = new Map<string, SignInMethod[]>();
  if (userIds.length === 0) return byUser;
  const passkeys = await db
    .selectFrom("passkeys")
    .select("user_id")
    .distinct()
    .where("user_id", "in", userIds)
    .execute();
  const identities = await db
    .selectFrom("identities")
    .select(["user_id", "issuer"])
    .where("user_id", "in", userIds)
    .execute();
  const mails = await db
    .selectFrom("users")
    .select("id")
    .where("id", "in", userIds)
    .where("mail", "is not", null)
    .where("mail_verified_at", "is not", null)
    .execute();
  const has = new Set([
    ...passkeys.map(({ user_id }) => `${user_id} passkey`),
    ...identities.map(({ user_id, issuer }) => `${user_id} ${issuer === GITHUB_ISSUER ? "github" : "oidc"}`),
    ...mails.map(({ id }) => `${id} mail`),
  ]);
  for (const id of userIds)
    byUser.set(
      id,
      ORDER.filter((method) => has.has(`${id} ${method}`)),
    );
  return byUser;
}
