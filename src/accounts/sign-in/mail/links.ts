/**
 * Links that sign in once. Looking at one does not use it, because programs that scan mails look at all of them; of
 * several browsers that use one at the same time, one gets in.
 *
 *   unknown ◄── voided by a newer one ── ready ──► used, until its time is over
 *                                          └─────► expired
 */
import type { Accounts } from "../../contract/accounts.ts";
import { askDatabase } from "../../contract/database-away.ts";
import { MAX_ADDRESS_LENGTH } from "../../contract/limits.ts";
import { Refused } from "../../contract/refused.ts";
import type { AccountTables, AccountTransaction } from "../../records/schema.ts";
import { hashLinkKey, newLinkKey } from "./link-key.ts";

export type LinkKind = AccountTables["sign_in_links"]["kind"];

export interface NewLink {
  kind: LinkKind;
  /** Null for `first`. */
  userId: string | null;
  browserHash?: string;
  lifetimeMs: number;
}

/** @returns the key, for the link's address */
export async function makeLink(
  accounts: Pick<Accounts, "clock" | "randomBytes" | "secretKey">,
  transaction: AccountTransaction,
  { kind, userId, browserHash, lifetimeMs }: NewLink,
): Promise<{ key: string; expiresAt: number }> {
  const now = accounts.clock();
  const key = newLinkKey(accounts);
  const hash = hashLinkKey(accounts, key);
  if (hash === null) throw new Error("A new key is malformed.");
  if (kind !== "mail")
    await transaction
      .deleteFrom("sign_in_links")
      .where("kind", "=", kind)
      .where("user_id", userId === null ? "is" : "=", userId)
      .where("used_at", "is", null)
      .execute();
  const expiresAt = now + lifetimeMs;
  const row = { key_hash: hash, kind, user_id: userId, browser_hash: browserHash ?? null, created_at: now };
  await transaction
    .insertInto("sign_in_links")
    .values({ ...row, expires_at: expiresAt, used_at: null, used_from: null })
    .execute();
  return { key, expiresAt };
}

export interface FoundLink {
  hash: string;
  kind: LinkKind;
  userId: string | null;
  browserHash: string | null;
  state: "ready" | "used" | "expired";
  usedAt: number | null;
  usedFrom: string | null;
}

/** @returns null for an unknown link. @throws Refused `unavailable` */
export async function findLink(accounts: Accounts, key: string): Promise<FoundLink | null> {
  const hash = hashLinkKey(accounts, key);
  if (hash === null) return null;
  const row = await askDatabase(() =>
    accounts.db.selectFrom("sign_in_links").selectAll().where("key_hash", "=", hash).executeTakeFirst(),
  );
  if (!row) return null;
  return {
    hash,
    kind: row.kind,
    userId: row.user_id,
    browserHash: row.browser_hash,
    state: row.used_at !== null ? "used" : row.expires_at <= accounts.clock() ? "expired" : "ready",
    usedAt: row.used_at,
    usedFrom: row.used_from,
  };
}

/** A link that may be used now, by its key. @throws Refused `not_found`, `failed_precondition` */
export async function requireLink(
  accounts: Accounts,
  key: string,
  kinds: readonly LinkKind[],
): Promise<FoundLink> {
  const link = await findLink(accounts, key);
  if (!link || !kinds.includes(link.kind))
    throw new Refused("not_found", "this link is unknown; a newer one may have replaced it");
  if (link.state === "expired")
    throw new Refused("failed_precondition", "this link has expired; ask for a new one");
  if (link.state === "used") throw usedLink(link.usedAt, link.usedFrom);
  return link;
}

/** Uses the link, within the change that it allows. @throws Refused `failed_precondition` when another browser was faster */
export async function consumeLink(
  { clock }: Pick<Accounts, "clock">,
  transaction: AccountTransaction,
  { hash, address }: { hash: string; address: string },
): Promise<void> {
  const now = clock();
  const used = await transaction
    .updateTable("sign_in_links")
    .set({ used_at: now, used_from: address.slice(0, MAX_ADDRESS_LENGTH) })
    .where("key_hash", "=", hash)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .returning("key_hash")
    .execute();
  if (used.length === 0) throw usedLink(null, null);
}

function usedLink(at: number | null, from: string | null): Refused {
  const when = at === null ? "just now" : `at ${new Date(at).toISOString()}`;
  return new Refused(
    "failed_precondition",
    `this link was already used, ${when}${from ? ` from ${from}` : ""}; ask for a new one`,
  );
}
