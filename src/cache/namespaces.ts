import { randomBytes } from "node:crypto";
import type { FindNamespace } from "./grant.ts";
import type { CacheDatabase } from "./schema.ts";

/** A few for each organization; what is found stays, because nothing removes one but the end of its organization. */
export function createNamespaces({ db }: CacheDatabase, clock: () => number): FindNamespace {
  const known = new Map<string, string>();
  return async ({ organizationId, tool, overlay }) => {
    const name = JSON.stringify([organizationId, tool, overlay]);
    const id = known.get(name) ?? (await findOrMake());
    known.set(name, id);
    return id;

    async function findOrMake(): Promise<string> {
      await db
        .insertInto("cache_namespaces")
        .values({
          id: `cns_${randomBytes(8).toString("hex")}`,
          organization_id: organizationId,
          tool,
          overlay,
          entries: 0,
          size_bytes: 0,
          created_at: clock(),
        })
        .onConflict((conflict) => conflict.columns(["organization_id", "tool", "overlay"]).doNothing())
        .execute();
      const row = await db
        .selectFrom("cache_namespaces")
        .select("id")
        .where("organization_id", "=", organizationId)
        .where("tool", "=", tool)
        .where("overlay", "=", overlay)
        .executeTakeFirstOrThrow();
      return row.id;
    }
  };
}
