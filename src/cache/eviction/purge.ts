import { type Caller, noteChange, Refused } from "#accounts/index.ts";
import type { Removed } from "../contract/cache.ts";
import { pickOfWriter } from "../entries/pick-entries.ts";
import { requireRight } from "../access/require-right.ts";
import type { RemovingOptions } from "./reset.ts";
import { writerIdOf } from "../entries/writers.ts";

/** @throws Refused */
export async function purgeWriter(
  { accounts, database: { db }, clock, removal }: RemovingOptions,
  caller: Caller,
  of: { writerId: string } | { tokenId: string },
): Promise<Removed> {
  const organizationId = requireRight(caller.actor, "cache.purge");
  const writerId = "writerId" in of ? of.writerId : writerIdOf(organizationId, of.tokenId);
  const until = clock();
  const writer = await db
    .selectFrom("cache_writers")
    .select(["token_id", "name"])
    .where("id", "=", writerId)
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  if (!writer)
    throw new Refused("not_found", "nothing in this organization's cache was written by that token or job");
  await noteChange(accounts, caller, {
    action: "cache.purge",
    organizationId,
    target: writer.name,
    targetId: writer.token_id,
  });
  return removal.all(pickOfWriter(writerId, until), "purge");
}
