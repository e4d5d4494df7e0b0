import { type Actor, authorize, Refused } from "#accounts/index.ts";
import type { Tool } from "../contract/tools.ts";

/** @returns the organization. @throws Refused */
export function requireRight(
  actor: Actor,
  action: "cache.reset" | "cache.purge" | "cache.usage",
  tool?: Tool,
): string {
  const { organizationId } = actor;
  if (organizationId === null)
    throw new Refused("not_found", "you belong to no organization; ask an owner for an invitation");
  const name = tool === undefined ? "the cache" : `the cache of ${tool}`;
  const refused = authorize(actor, action, { name, organizationId });
  if (refused) throw refused;
  return organizationId;
}
