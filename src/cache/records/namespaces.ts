/**
 * Namespaces have ids that follow from their names: two servers agree without asking, and a remembered id of a removed
 * namespace means the next one of the same name.
 */
import { createHash } from "node:crypto";
import type { Insertable } from "kysely";
import { MAX_REMEMBERED_NAMES } from "../contract/limits.ts";
import type { CacheDatabase, CacheTables } from "./schema.ts";
import type { Tool } from "../contract/tools.ts";

export interface NamespaceName {
  organizationId: string;
  tool: Tool;
  /** "": the trusted one. */
  overlay: string;
}

/** Bytes of a hash: no one finds two refs with the same id. */
const ID_BYTES = 16;

/** The name as one text. */
export const namespaceText = ({ organizationId, tool, overlay }: NamespaceName): string =>
  JSON.stringify([organizationId, tool, overlay]);

export function readNamespaceText(text: string): NamespaceName {
  const [organizationId, tool, overlay] = JSON.parse(text) as [string, Tool, string];
  return { organizationId, tool, overlay };
}

export function namespaceIdOf(name: NamespaceName): string {
  return `cns_${createHash("sha256")
    .update(namespaceText(name))
    .digest("hex")
    .slice(0, ID_BYTES * 2)}`;
}

export function newNamespace(name: NamespaceName, now: number): Insertable<CacheTables["cache_namespaces"]> {
  const { organizationId: organization_id, tool, overlay } = name;
  const empty = { entries: 0, size_bytes: 0, reset_before: null };
  return { id: namespaceIdOf(name), organization_id, tool, overlay, ...empty, created_at: now };
}

/** Creates the trusted namespace of a tool at its first use, so that it is shown although nothing was written. */
export function createNamespaces(
  { db }: Pick<CacheDatabase, "db">,
  clock: () => number,
): (name: Omit<NamespaceName, "overlay">) => Promise<string> {
  const known = new Map<string, string>();
  return async ({ organizationId, tool }) => {
    const key = `${organizationId} ${tool}`;
    const remembered = known.get(key);
    if (remembered !== undefined) return remembered;
    const namespace = newNamespace({ organizationId, tool, overlay: "" }, clock());
    // Queried first: a caller that only reads must not need room on the disk.
    const isThere = await db
      .selectFrom("cache_namespaces")
      .select("id")
      .where("id", "=", namespace.id)
      .executeTakeFirst();
    if (!isThere)
      await db
        .insertInto("cache_namespaces")
        .values(namespace)
        // On either unique key: with two first uses at the same time PostgreSQL may detect the one on the names first.
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    if (known.size >= MAX_REMEMBERED_NAMES) known.clear();
    known.set(key, namespace.id);
    return namespace.id;
  };
}
