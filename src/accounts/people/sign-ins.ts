/** Browsers that are signed in. */
import type { Accounts } from "../contract/accounts.ts";
import { notFound } from "../contract/authorize.ts";
import { authorOf, type Caller, changeRecords } from "../changes/change-records.ts";
import { invalid } from "../contract/check-input.ts";
import { askDatabase } from "../contract/database-away.ts";
import { isSearchable } from "../changes/find-organization.ts";
import { newId, quoteReference, randomKey } from "../contract/ids.ts";
import {
  MAX_ADDRESS_LENGTH,
  MAX_BROWSER_LENGTH,
  MAX_SIGN_INS_PER_USER,
  SIGN_IN_IDLE_MS,
  SIGN_IN_LIFETIME_MS,
} from "../contract/limits.ts";
import { type Page, type PageInput, readPage, toPage } from "../contract/page.ts";
import { requirePerson } from "./people.ts";
import { hashSecret } from "../contract/token-text.ts";
import { CONFIRMED_MS } from "../two-step/require-confirmed.ts";
import type { AccountTransaction } from "../records/schema.ts";

const COOKIE_LENGTH = 43;

export interface SignIn {
  id: string;
  browser: string;
  address: string;
  createdAt: number;
  lastUsedAt: number;
  /** Regardless of how often it is used. */
  expiresAt: number;
  isCurrent: boolean;
}

interface NewSignIn {
  userId: string;
  browser: string;
  address: string;
}

/** When a browser is signed out: after its idle time, at the latest at its absolute end. */
export const signInEnd = (row: { created_at: number; expires_at: number }): number =>
  Math.min(row.expires_at, row.created_at + SIGN_IN_LIFETIME_MS);

/**
 * Signs a browser in. The caller writes the audit log's line.
 * @returns the value of the cookie `cookieNameOf()`, and its lifetime
 */
export async function createSignIn(
  { clock, randomBytes }: Pick<Accounts, "clock" | "randomBytes">,
  { userId, browser, address }: NewSignIn,
  transaction: AccountTransaction,
): Promise<{ id: string; cookie: string; maxAgeSeconds: number }> {
  const now = clock();
  const id = newId("sgn", randomBytes);
  const cookie = randomKey(COOKIE_LENGTH, randomBytes);
  await transaction
    .insertInto("sign_ins")
    .values({
      id,
      user_id: userId,
      key_hash: hashSecret(cookie),
      browser: browser.slice(0, MAX_BROWSER_LENGTH).toWellFormed().replaceAll("\0", ""),
      address: address.slice(0, MAX_ADDRESS_LENGTH),
      created_at: now,
      last_used_at: now,
      expires_at: now + SIGN_IN_IDLE_MS,
      // A person who has just signed in has confirmed that it is them.
      confirmed_until: now + CONFIRMED_MS,
    })
    .execute();
  const surplus = transaction
    .selectFrom("sign_ins")
    .select("id")
    .where("user_id", "=", userId)
    .orderBy("last_used_at", "desc")
    .orderBy("id")
    .offset(MAX_SIGN_INS_PER_USER)
    .limit(MAX_SIGN_INS_PER_USER);
  await transaction.deleteFrom("sign_ins").where("id", "in", surplus).execute();
  return { id, cookie, maxAgeSeconds: SIGN_IN_IDLE_MS / 1000 };
}

/** The most recently used first. */
export async function listSignIns(
  accounts: Accounts,
  caller: Caller,
  input: PageInput,
): Promise<Page<SignIn>> {
  const actor = requirePerson(caller);
  const page = readPage(input, "number");
  let query = accounts.db
    .selectFrom("sign_ins")
    .selectAll()
    .where("user_id", "=", actor.userId)
    .where("expires_at", ">", accounts.clock())
    .where("created_at", ">", accounts.clock() - SIGN_IN_LIFETIME_MS);
  if (page.after) {
    const { sort, id } = page.after;
    query = query.where((row) =>
      row.or([row("last_used_at", "<", sort), row.and([row("last_used_at", "=", sort), row("id", ">", id)])]),
    );
  }
  const rows = await askDatabase(() =>
    query.orderBy("last_used_at", "desc").orderBy("id").limit(page.limit).execute(),
  );
  return toPage(rows, page, {
    keyOf: (row) => ({ sort: row.last_used_at, id: row.id }),
    itemOf: (row) => ({
      id: row.id,
      browser: row.browser,
      address: row.address,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
      expiresAt: row.created_at + SIGN_IN_LIFETIME_MS,
      isCurrent: row.id === actor.signInId,
    }),
  });
}

export async function endSignIn(
  accounts: Accounts,
  caller: Caller,
  { signInId = "", all = false }: { signInId?: string; all?: boolean },
): Promise<void> {
  const { userId } = requirePerson(caller);
  if ((signInId === "") !== all) throw invalid("sign_in_id", "send either sign_in_id or all");
  await changeRecords(accounts, authorOf(caller), async ({ transaction, audit, forget }) => {
    if (all)
      await transaction
        .updateTable("users")
        .set({ browsers_known_since: accounts.clock() })
        .where("id", "=", userId)
        .execute();
    let query = transaction.deleteFrom("sign_ins").where("user_id", "=", userId);
    if (!all) query = query.where("id", "=", isSearchable(signInId) ? signInId : "");
    const ended = await query.returning(["id", "browser"]).execute();
    if (ended.length === 0 && !all) throw notFound(caller.actor, `sign-in ${quoteReference(signInId)}`);
    for (const { id, browser } of ended) {
      await audit({ action: "sign-in.end", organizationId: null, target: browser, targetId: id });
      forget(id);
    }
  });
}
