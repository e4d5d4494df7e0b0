/**
 * Dangerous acts ask a browser's person again whether it is them: a session in someone else's hands cannot do them. A person
 * who has just signed in is not asked, so that signing in again works for anyone who has lost the device. A person without a
 * way to confirm is not asked, nor are tokens: no one is there to answer.
 */
import type { Accounts } from "../contract/accounts.ts";
import type { Actor } from "../contract/actor.ts";
import { askDatabase } from "../contract/database-away.ts";
import { hasPasskeys } from "../contract/has-passkeys.ts";
import { Refused } from "../contract/refused.ts";
import { readTwoStep, waysOf } from "./two-step.ts";

/** The page about security has this number in words. */
export const CONFIRMED_MS = 10 * 60_000;
/** The header of answers that ask for a confirmation. */
export const CONFIRM_HEADER = { name: "millrace-confirm", value: "required" } as const;

export class ConfirmationNeeded extends Refused {
  constructor() {
    super(
      "failed_precondition",
      "Confirm that it is you: enter a code or use a passkey in the web application, then try again.",
    );
  }
}

/** @throws ConfirmationNeeded; Refused `unavailable` */
export async function requireConfirmed(accounts: Accounts, actor: Actor): Promise<void> {
  if (actor.kind !== "user" || actor.via !== "browser" || actor.signInId === null) return;
  const { signInId, userId } = actor;
  await askDatabase(async () => {
    if ((await findConfirmedUntil(accounts, signInId)) !== null) return;
    const ways = waysOf(await readTwoStep(accounts.db, userId), hasPasskeys(accounts.origin));
    if (ways.length > 0) throw new ConfirmationNeeded();
  });
}

/** @returns null: it is not confirmed at present */
export async function findConfirmedUntil({ db, clock }: Accounts, signInId: string): Promise<number | null> {
  const row = await db
    .selectFrom("sign_ins")
    .select("confirmed_until")
    .where("id", "=", signInId)
    .executeTakeFirst();
  const [until, now] = [row?.confirmed_until ?? 0, clock()];
  // Setting the clock back does not make a confirmation longer.
  return until > now && until <= now + CONFIRMED_MS ? until : null;
}

/** @returns the end of the confirmation */
export async function confirmSignIn({ db, clock }: Accounts, signInId: string): Promise<number> {
  const until = clock() + CONFIRMED_MS;
  await askDatabase(() =>
    db.updateTable("sign_ins").set({ confirmed_until: until }).where("id", "=", signInId).execute(),
  );
  return until;
}
