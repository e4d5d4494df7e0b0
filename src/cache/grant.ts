/** Who may use which namespace: the namespace of a tool belongs to the whole organization. */
import { type Actor, authorize, Refused } from "#accounts/index.ts";
import type { Grant } from "./cache.ts";
import type { Tool } from "./tools.ts";

/** Finds a namespace, or makes it. */
export type FindNamespace = (name: {
  organizationId: string;
  tool: Tool;
  /** "": the trusted one. */
  overlay: string;
}) => Promise<string>;

/**
 * @param overlayOf the overlay of a job with the right `overlay`
 * @throws Refused
 */
export async function grantAccess(
  actor: Actor,
  { tool, right }: { tool: Tool; right: "read" | "write" },
  {
    findNamespace,
    overlayOf,
  }: { findNamespace: FindNamespace; overlayOf: (actor: Actor) => Promise<string> },
): Promise<Grant> {
  const { organizationId } = actor;
  if (organizationId === null)
    throw new Refused("not_found", "you belong to no organization; ask an owner for an invitation");
  const resource = { name: `the cache of ${tool}`, organizationId };
  const refused = authorize(actor, "cache.read", resource);
  if (refused) throw refused;
  const trusted = await findNamespace({ organizationId, tool, overlay: "" });
  const isOverlay = actor.kind === "job" && actor.cache === "overlay";
  const refusedWrite = authorize(actor, isOverlay ? "cache.overlay" : "cache.write", resource);
  if (right === "write" && refusedWrite) throw refusedWrite;
  if (!isOverlay)
    return { tool, organizationId, actor, reads: [trusted], writes: refusedWrite ? null : trusted };
  const overlay = await findNamespace({ organizationId, tool, overlay: await overlayOf(actor) });
  return { tool, organizationId, actor, reads: [overlay, trusted], writes: overlay };
}
