import { createHash } from "node:crypto";
import type { Actor } from "#accounts/index.ts";
import { MAX_REMEMBERED_NAMES, WRITER_EXACT_MS } from "../contract/limits.ts";
import type { CacheDatabase } from "../records/schema.ts";

/** The writer's row in `cache_writers`; created at the first write, and marked as used once an hour. */
export function createWriters(
  { db }: Pick<CacheDatabase, "db">,
  clock: () => number,
): (actor: Actor) => Promise<string> {
  const known = new Map<string, number>();
  return async (actor) => {
    const { organizationId } = actor;
    if (organizationId === null) throw new Error("A writer has an organization.");
    const token = actor.tokenId ?? (actor.kind === "user" ? actor.userId : "");
    const id = writerIdOf(organizationId, token);
    const now = clock();
    const writtenAt = known.get(id);
    if (writtenAt !== undefined && Math.abs(now - writtenAt) < WRITER_EXACT_MS) return id;
    const job = actor.kind === "job" ? actor : null;
    const { numUpdatedRows } = await db
      .updateTable("cache_writers")
      .set({ last_at: now, name: actor.name })
      .where("id", "=", id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n)
      await db
        .insertInto("cache_writers")
        .values({
          id,
          organization_id: organizationId,
          token_id: token,
          name: actor.name,
          kind: actor.kind === "project" ? "organization" : actor.kind,
          project_id: job?.projectId ?? null,
          subject: job?.claims?.subject ?? null,
          commit_sha: job?.claims?.sha ?? null,
          ref: job?.claims?.ref ?? null,
          run_url: job?.claims?.runUrl ?? null,
          first_at: now,
          last_at: now,
        })
        // On either unique key: with two first uses at the same time PostgreSQL may detect the one on the names first.
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    if (known.size >= MAX_REMEMBERED_NAMES) known.clear();
    known.set(id, now);
    return id;
  };
}

/** Derived from the names, so that a remembered id never means another writer. */
export function writerIdOf(organizationId: string, tokenId: string): string {
  const name = JSON.stringify([organizationId, tokenId]);
  return `cwr_${createHash("sha256").update(name).digest("hex").slice(0, 32)}`;
}
