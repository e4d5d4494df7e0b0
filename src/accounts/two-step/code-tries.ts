/**
 * Limits the tries of codes for one person. A try is taken before the code is checked, in one statement on the database that
 * all servers share, and given back when the code was right: however many codes arrive at the same time, only as many are
 * checked as there are tries. A caller who has not done the person's first step takes none; and the two purposes count
 * separately, so that a caller of one cannot lock the other.
 */
import { sql } from "kysely";
import type { Accounts } from "../contract/accounts.ts";
import { askDatabase } from "../contract/database-away.ts";
import { DAY_MS } from "../contract/limits.ts";
import type { AccountTransaction } from "../records/schema.ts";

/** `two-step.tries`: decision 058 has the odds. */
const AT_ONCE = 10;
const EVERY_MS = 6 * 3_600_000;
const WRONG_CLOCK_MS = DAY_MS;

export type CodePurpose = "sign-in" | "confirm";
export type CodeKind = "totp" | "recovery";

export interface CodeTry {
  userId: string;
  purpose: CodePurpose;
  kind: CodeKind;
}

/** @returns 0, or the seconds until the next try */
export async function takeTry({ db, clock }: Accounts, tried: CodeTry): Promise<number> {
  const now = clock();
  const key = keyOf(tried);
  const latest = now + (AT_ONCE - 1) * EVERY_MS;
  // A time beyond all tries was counted by a clock that was ahead.
  const beyond = latest + WRONG_CLOCK_MS;
  const since = sql<number>`case when limit_counts.full_at > ${now} and limit_counts.full_at <= ${beyond} then limit_counts.full_at else ${now} end`;
  return askDatabase(async () => {
    const taken = await db
      .insertInto("limit_counts")
      .values({ key, full_at: now + EVERY_MS })
      .onConflict((conflict) =>
        conflict
          .column("key")
          .doUpdateSet({ full_at: sql<number>`${since} + ${EVERY_MS}` })
          .where((row) =>
            row.or([row("limit_counts.full_at", "<=", latest), row("limit_counts.full_at", ">", beyond)]),
          ),
      )
      .returning("key")
      .execute();
    if (taken.length > 0) return 0;
    const row = await db
      .selectFrom("limit_counts")
      .select("full_at")
      .where("key", "=", key)
      .executeTakeFirst();
    return Math.max(1, Math.ceil((Number(row?.full_at ?? now) - latest) / 1000));
  });
}

/** Gives back the try of a right code. */
export async function giveBackTry({ db }: Accounts, tried: CodeTry): Promise<void> {
  await askDatabase(() =>
    db
      .updateTable("limit_counts")
      .set({ full_at: sql<number>`full_at - ${EVERY_MS}` })
      .where("key", "=", keyOf(tried))
      .execute(),
  );
}

/** For a person who gets a new second step. */
export async function forgetTries(transaction: AccountTransaction, userId: string): Promise<void> {
  const keys = (["sign-in", "confirm"] as const).flatMap((purpose) =>
    (["totp", "recovery"] as const).map((kind) => keyOf({ userId, purpose, kind })),
  );
  await transaction.deleteFrom("limit_counts").where("key", "in", keys).execute();
}

const keyOf = ({ userId, purpose, kind }: CodeTry): string => `two-step ${purpose} ${kind} ${userId}`;
