/** A person's second step: reading it, and turning it on and off. */
import { createSeal, type SealedColumn } from "#platform/seal/seal.ts";
import type { Accounts } from "../contract/accounts.ts";
import type { AuditEntry } from "../contract/audit.ts";
import type { Change } from "../changes/change-records.ts";
import type { AccountTransaction } from "../records/schema.ts";
import { forgetTries } from "./code-tries.ts";
import { replaceRecoveryCodes } from "./recovery-codes.ts";
import { findStep } from "./totp.ts";

export const sealedTotpSecrets: SealedColumn = {
  what: "apps of two-step sign-in",
  purpose: "millrace two-step apps",
  table: "totp_secrets",
  column: "sealed",
  keys: ["user_id"],
  belongs: ["user_id"],
};

/** How a known person shows that it is still them. */
export type SecondWay = "totp" | "recovery" | "passkey";

export interface TwoStep {
  isOn: boolean;
  /** When an app was set up, in milliseconds since 1970; null: none is. */
  totpSince: number | null;
  recoveryCodesLeft: number;
  /** Passkeys that verify the person. */
  verifyingPasskeys: number;
}

type Db = Accounts["db"] | AccountTransaction;

export async function readTwoStep(db: Db, userId: string): Promise<TwoStep> {
  const [on, totp, codes, passkeys] = [
    await db.selectFrom("two_steps").select("user_id").where("user_id", "=", userId).executeTakeFirst(),
    await db.selectFrom("totp_secrets").select("created_at").where("user_id", "=", userId).executeTakeFirst(),
    await db.selectFrom("recovery_codes").select("code_hash").where("user_id", "=", userId).execute(),
    await db
      .selectFrom("passkeys")
      .select("id")
      .where("user_id", "=", userId)
      .where("verifies_user", "=", 1)
      .execute(),
  ];
  return {
    isOn: on !== undefined,
    totpSince: totp?.created_at ?? null,
    recoveryCodesLeft: codes.length,
    verifyingPasskeys: passkeys.length,
  };
}

/** @param hasPasskeys whether browsers support them on this server */
export function waysOf(twoStep: TwoStep, hasPasskeys: boolean): SecondWay[] {
  const ways: [SecondWay, boolean][] = [
    ["totp", twoStep.totpSince !== null],
    ["passkey", hasPasskeys && twoStep.verifyingPasskeys > 0],
    ["recovery", twoStep.recoveryCodesLeft > 0],
  ];
  return ways.filter(([, isThere]) => isThere).map(([way]) => way);
}

/** The given people who sign in in two steps. */
export async function findTwoStepped(db: Db, userIds: readonly string[]): Promise<Set<string>> {
  if (userIds.length === 0) return new Set();
  const rows = await db.selectFrom("two_steps").select("user_id").where("user_id", "in", userIds).execute();
  return new Set(rows.map((row) => row.user_id));
}

export interface Person {
  userId: string;
  name: string;
}

/** Adds a line about a person's second step, for the owners of the organization that they joined first. */
export async function auditSecond(
  { transaction, audit }: Change,
  { userId, name, ...rest }: Person & Pick<AuditEntry, "action" | "details">,
): Promise<void> {
  const home = await transaction
    .selectFrom("members")
    .select("organization_id")
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .orderBy("organization_id")
    .executeTakeFirst();
  const organizationId = home?.organization_id ?? null;
  await audit({ ...rest, organizationId, target: name, targetId: userId });
}

/**
 * Turns it on, or changes its app.
 * @param totp null: passkeys alone
 * @returns new recovery codes
 */
export async function turnOnTwoStep(
  accounts: Accounts,
  change: Change,
  { userId, name, totp }: Person & { totp: { secret: string; step: number } | null },
): Promise<string[]> {
  const { transaction } = change;
  const now = accounts.clock();
  await transaction
    .insertInto("two_steps")
    .values({ user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if (totp) {
    const sealed = createSeal(accounts.secretKey, sealedTotpSecrets).seal(totp.secret, userId);
    const row = { sealed, created_at: now, last_step: totp.step };
    await transaction
      .insertInto("totp_secrets")
      .values({ user_id: userId, ...row })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
      .execute();
  }
  const details = { way: totp ? "app" : "passkey" };
  await auditSecond(change, { userId, name, action: "two-step.on", details });
  return replaceRecoveryCodes(accounts, transaction, userId);
}

/** @returns whether it was on */
export async function turnOffTwoStep(change: Change, { userId, name }: Person): Promise<boolean> {
  const { transaction } = change;
  const rows = await transaction
    .deleteFrom("two_steps")
    .where("user_id", "=", userId)
    .returning("user_id")
    .execute();
  await transaction.deleteFrom("totp_secrets").where("user_id", "=", userId).execute();
  await transaction.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  await forgetTries(transaction, userId);
  if (rows.length === 0) return false;
  await auditSecond(change, { userId, name, action: "two-step.off" });
  return true;
}

/** Accepts an app's code once, however many requests send it at the same moment. @returns whether it was right */
export async function acceptTotp(
  { secretKey, clock }: Pick<Accounts, "secretKey" | "clock">,
  transaction: AccountTransaction,
  { userId, code }: { userId: string; code: string },
): Promise<boolean> {
  const query = transaction.selectFrom("totp_secrets").selectAll().where("user_id", "=", userId);
  const row = await query.executeTakeFirst();
  const secret = row && createSeal(secretKey, sealedTotpSecrets).open(row.sealed, userId);
  const step = secret ? findStep(secret, code, clock()) : null;
  if (!row || step === null) return false;
  const accepted = await transaction
    .updateTable("totp_secrets")
    .set({ last_step: step })
    .where("user_id", "=", userId)
    .where("sealed", "=", row.sealed)
    .where("last_step", "<", step)
    .returning("user_id")
    .execute();
  return accepted.length > 0;
}
