/** Access to namespaces: the namespace of a tool belongs to the whole organization. */
import { type Actor, authorize, Refused } from "#accounts/index.ts";
import type { Grant } from "../contract/cache.ts";
import { namespaceIdOf } from "../records/namespaces.ts";
import { overlayOf } from "./overlay.ts";
import type { Tool } from "../contract/tools.ts";

/** Finds the trusted namespace, or creates it. */
export type FindNamespace = (name: { organizationId: string; tool: Tool }) => Promise<string>;

/** @throws Refused */
export async function grantAccess(
  actor: Actor,
  { tool, right }: { tool: Tool; right: "read" | "write" },
  findNamespace: FindNamespace,
): Promise<Grant> {
  const { organizationId } = actor;
  if (organizationId === null)
    throw new Refused("not_found", "you belong to no organization; ask an owner for an invitation");
  const resource = { name: `the cache of ${tool}`, organizationId };
  const refused = authorize(actor, "cache.read", resource);
  if (refused) throw refused;
  const isOverlay = actor.kind === "job" && actor.cache === "overlay";
  const refusedWrite = authorize(actor, isOverlay ? "cache.overlay" : "cache.write", resource);
  if (right === "write" && refusedWrite) throw refusedWrite;
  const trusted = await findNamespace({ organizationId, tool });
  const grant = { tool, organizationId, actor };
  if (!isOverlay) return { ...grant, overlay: "", reads: [trusted], writes: refusedWrite ? null : trusted };
  const overlay = overlayOf(actor);
  // The first write creates its row.
  const id = namespaceIdOf({ organizationId, tool, overlay });
  return { ...grant, overlay, reads: [id, trusted], writes: id };
}

/** The namespace that a request counts in. */
export const trustedOf = ({ reads }: Grant) => reads.at(-1) ?? "";
