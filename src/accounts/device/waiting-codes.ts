/**
 * Limits the logins that wait for a person's approval. Each network has a share, as have the networks around it. Where a
 * share is used up, or half of all places are taken, newcomers do some work, and each who did displaces the oldest login of
 * the full network, or of the network with the most. No one can keep others out, and approved logins stay.
 */
import { networkKeys } from "#platform/http/addresses/client-address.ts";
import { networkShares } from "#platform/http/limits/network-limit.ts";
import type { Accounts } from "../contract/accounts.ts";
import { askDatabase } from "../contract/database-away.ts";

/** For all clients together; a row is about 500 bytes. */
const MAX_WAITING = 10_000;
/** For one client; a network around it has the multiple of that in `network-limit.ts`. */
const MAX_OF_CLIENT = 20;

export const widestNetwork = (address: string): string => networkKeys(address).at(-1)!;

/** Whether a client that starts one more login there has to do work. @throws Refused `unavailable` */
export function isCrowded(accounts: Accounts, address: string): Promise<boolean> {
  return askDatabase(
    async () =>
      (await countAll(accounts)) >= MAX_WAITING / 2 || (await findSurplus(accounts, address)) !== null,
  );
}

/** Makes room for one more login. @throws Refused `unavailable` */
export function makeRoom(accounts: Accounts, address: string): Promise<void> {
  return askDatabase(async () => {
    const { db } = accounts;
    const hash =
      (await findSurplus(accounts, address)) ??
      ((await countAll(accounts)) >= MAX_WAITING ? await findOldestOfLargest(accounts) : null);
    if (hash === null) return;
    await db
      .deleteFrom("device_codes")
      .where("code_hash", "=", hash)
      // A login that was approved in the meantime stays.
      .where("state", "!=", "approved")
      .execute();
  });
}

/** Counts the logins after it removed the expired ones. */
async function countAll({ db, clock }: Accounts): Promise<number> {
  await db.deleteFrom("device_codes").where("expires_at", "<=", clock()).execute();
  const counting = db.selectFrom("device_codes").select((row) => row.fn.countAll<number>().as("count"));
  return Number((await counting.executeTakeFirstOrThrow()).count);
}

/** @returns the oldest login of the narrowest network around an address whose share is used up; null: no share is used up */
async function findSurplus({ db, clock }: Accounts, address: string): Promise<string | null> {
  const waiting = await db
    .selectFrom("device_codes")
    .select(["code_hash", "address"])
    .where("network", "=", widestNetwork(address))
    .where("state", "=", "pending")
    .where("expires_at", ">", clock())
    .orderBy("created_at")
    .execute();
  const keys = waiting.map((row) => new Set(networkKeys(row.address)));
  for (const { key, share } of networkShares(address)) {
    const inside = waiting.filter((_, at) => keys[at]?.has(key));
    if (inside.length >= MAX_OF_CLIENT * share) return inside[0]?.code_hash ?? null;
  }
  return null;
}

/** The oldest login of the network with the most. Null: all are approved. */
async function findOldestOfLargest({ db }: Accounts): Promise<string | null> {
  const largest = await db
    .selectFrom("device_codes")
    .select("network")
    .where("state", "!=", "approved")
    .groupBy("network")
    .orderBy((row) => row.fn.countAll(), "desc")
    .orderBy((row) => row.fn.min("created_at"))
    .limit(1)
    .executeTakeFirst();
  if (!largest) return null;
  const oldest = await db
    .selectFrom("device_codes")
    .select("code_hash")
    .where("network", largest.network === null ? "is" : "=", largest.network)
    .where("state", "!=", "approved")
    .orderBy("created_at")
    .limit(1)
    .executeTakeFirst();
  return oldest?.code_hash ?? null;
}
