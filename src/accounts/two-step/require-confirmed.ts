/**
 * Dangerous acts ask a browser's person again whether it is them: a session that somebody else got hold of cannot do
 * them. Who has just signed in is not asked, so that signing in again is the way for whoever has lost the device. Who has no
 * way to show it is not asked, and tokens are not: nobody is there to answer.
 */
import type { Accounts } from "../accounts.ts";
import type { Actor } from "../actor.ts";
import { askDatabase } from "../database-away.ts";
import { hasPasskeys } from "../has-passkeys.ts";
import { Refused } from "../refused.ts";
import { readTwoStep, waysOf } from "./two-step.ts";

/** Stands in words on the page about security. */
export const CONFIRMED_MS = 10 * 60_000;
/** Answers that ask for it have this header. */
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

/** @returns null: it is not confirmed now */
export async function findConfirmedUntil({ db, clock }: Accounts, signInId: string): Promise<number | null> {
  const row = await db
    .selectFrom("sign_ins")
    .select("confirmed_until")
    .where("id", "=", signInId)
    .executeTakeFirst();
  const [until, now] = [row?.confirmed_until ?? 0, clock()];
  // A clock that was set back makes none longer.
  return until > now && until <= now + CONFIRMED_MS ? until : null;
}

/** @returns until when */
export async function confirmSignIn({ db, clock }: Accounts, signInId: string): Promise<number> {
  const until = clock() + CONFIRMED_MS;
  await askDatabase(() =>
    db.updateTable("sign_ins").set({ confirmed_until: until }).where("id", "=", signInId).execute(),
  );
  return until;
}
