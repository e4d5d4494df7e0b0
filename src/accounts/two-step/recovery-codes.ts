/**
 * Codes that a person keeps in case the phone is lost: 80 random bits each, so that no reader of the database finds them, and
 * independent of the secret key, so that they outlive it.
 *
 *     4F7Q-2MXR-9KTD-7H2M
 */
import type { Accounts } from "../contract/accounts.ts";
import type { RandomBytes } from "../contract/ids.ts";
import type { AccountTransaction } from "../records/schema.ts";
import { hashSecret } from "../contract/token-text.ts";

/** `two-step.recovery-codes` */
const COUNT = 10;
const LENGTH = 16;
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const FORM = /^[0-9A-HJKMNP-TV-Z]{16}$/;

/** Replaces all of a person's codes. @returns the new codes, which appear nowhere else */
export async function replaceRecoveryCodes(
  { randomBytes }: Pick<Accounts, "randomBytes">,
  transaction: AccountTransaction,
  userId: string,
): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, () => newCode(randomBytes));
  await transaction.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  await transaction
    .insertInto("recovery_codes")
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashOf(userId, code) })))
    .execute();
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, "$1-"));
}

/** Uses a code up; of several simultaneous calls, one does. @returns whether it was a valid code */
export async function useRecoveryCode(
  transaction: AccountTransaction,
  userId: string,
  typed: string,
): Promise<boolean> {
  const code = typed.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  if (!FORM.test(code)) return false;
  const used = await transaction
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("code_hash", "=", hashOf(userId, code))
    .returning("code_hash")
    .execute();
  return used.length > 0;
}

const newCode = (randomBytes: RandomBytes): string =>
  [...randomBytes(LENGTH)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("");

const hashOf = (userId: string, code: string): string => hashSecret(`${userId} ${code}`);
