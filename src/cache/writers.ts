import { randomBytes } from "node:crypto";
import type { Actor } from "#accounts/index.ts";
import type { CacheDatabase } from "./schema.ts";

/** Who writes, as a row of `cache_writers`; made at the first write. */
export function createWriters({ db }: CacheDatabase, clock: () => number): (actor: Actor) => Promise<string> {
  const known = new Map<string, string>();
  return async (actor) => {
    const credential = actor.tokenId ?? (actor.kind === "user" ? actor.userId : "");
    const { organizationId } = actor;
    if (organizationId === null) throw new Error("A writer has an organization.");
    const name = `${organizationId} ${credential}`;
    const id = known.get(name) ?? (await findOrMake(credential, organizationId));
    known.set(name, id);
    return id;

    async function findOrMake(tokenId: string, organization: string): Promise<string> {
      const now = clock();
      await db
        .insertInto("cache_writers")
        .values({
          id: `cwr_${randomBytes(8).toString("hex")}`,
          organization_id: organization,
          token_id: tokenId,
          name: actor.name,
          kind: actor.kind === "project" ? "organization" : actor.kind,
          project_id: actor.kind === "job" ? actor.projectId : null,
          subject: null,
          commit_sha: null,
          ref: null,
          run_url: null,
          first_at: now,
          last_at: now,
        })
        .onConflict((conflict) => conflict.column("token_id").doUpdateSet({ last_at: now }))
        .execute();
      const row = await db
        .selectFrom("cache_writers")
        .select("id")
        .where("token_id", "=", tokenId)
        .executeTakeFirstOrThrow();
      return row.id;
    }
  };
}
