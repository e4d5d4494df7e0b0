import { askDatabase } from "#accounts/index.ts";
import { MAX_COUNTED_REPOSITORIES, MAX_TAGS, TAGS_COUNTED_MS } from "../contract/limits.ts";
import type { RegistryParts } from "../contract/parts.ts";
import type { Grant } from "../contract/registry.ts";
import { RegistryError } from "../contract/registry-error.ts";
import type { RegistryTransaction } from "../contract/schema.ts";
import { markUntagged } from "../sweep/marks.ts";
import { refuseImmutable } from "./tags.ts";

/** @throws RegistryError DENIED for a tag that never moves */
export async function moveTags(
  { clock }: Pick<RegistryParts, "clock">,
  transaction: RegistryTransaction,
  { grant, tags, digest }: { grant: Grant; tags: readonly string[]; digest: string },
): Promise<void> {
  if (tags.length === 0) return;
  const { id: repositoryId } = grant.repository;
  const former = await transaction
    .selectFrom("registry_tags")
    .select(["name", "digest"])
    .where("repository_id", "=", repositoryId)
    .where("name", "in", tags)
    .execute();
  const known = new Map(former.map((row) => [row.name, row.digest]));
  const left = [...known.values()].filter((each) => each !== digest);
  await markUntagged(transaction, repositoryId, left);
  const moved = tags.filter((name) => known.has(name) && known.get(name) !== digest);
  await refuseImmutable(transaction, grant, { tags: moved, does: "moved" });
  for (const name of tags) {
    if (known.get(name) === digest) continue;
    await transaction
      .insertInto("registry_tags")
      .values({ repository_id: repositoryId, name, digest, moved_at: clock() })
      .onConflict((conflict) =>
        conflict.columns(["repository_id", "name"]).doUpdateSet({ digest, moved_at: clock() }),
      )
      .execute();
  }
}

export interface TagCount {
  /** @throws RegistryError DENIED when the repository has the maximum number of tags */
  requireRoom(grant: Grant, tags: readonly string[]): Promise<void>;
}

/** Counted once a minute: the time grows with the number of tags. */
export function createTagCount({ database, clock }: Pick<RegistryParts, "database" | "clock">): TagCount {
  const counted = new Map<string, { tags: number; at: number }>();
  return {
    async requireRoom({ repository: { id, name } }, tags) {
      if (tags.length === 0) return;
      let known = counted.get(id);
      if (!known || Math.abs(clock() - known.at) > TAGS_COUNTED_MS) {
        const row = await askDatabase(() =>
          database.db
            .selectFrom("registry_tags")
            .select((query) => query.fn.countAll<number>().as("tags"))
            .where("repository_id", "=", id)
            .executeTakeFirstOrThrow(),
        );
        known = { tags: row.tags, at: clock() };
        counted.delete(id);
        counted.set(id, known);
        // A Map iterates in insertion order.
        if (counted.size > MAX_COUNTED_REPOSITORIES) counted.delete(counted.keys().next().value!);
      }
      if (known.tags + tags.length > MAX_TAGS)
        throw new RegistryError("DENIED", `${name} has ${known.tags} tags; delete some that no one needs`);
      // Existing tags count again, until the next minute.
      if (known.tags >= MAX_TAGS / 2) known.tags += tags.length;
    },
  };
}
