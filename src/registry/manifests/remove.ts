/** Deleting a tag, or a manifest with all its tags. Blobs are left to the collection. */
import { askDatabase } from "#accounts/index.ts";
import { inTransaction } from "#platform/database/database.ts";
import { algorithmOf, isTag } from "../contract/names.ts";
import type { ManifestTools } from "./put.ts";
import type { Grant, Manifests } from "../contract/registry.ts";
import { RegistryError } from "../contract/registry-error.ts";
import type { RegistryTransaction } from "../contract/schema.ts";
import { markNamedBy, markUntagged } from "../sweep/marks.ts";
import { refuseImmutable } from "./tags.ts";

export function createRemoving({ parts, memory, events }: ManifestTools): Manifests["remove"] {
  return async (grant, reference) => {
    const isDigest = reference.includes(":");
    if (isDigest ? !algorithmOf(reference) : !isTag(reference)) return false;
    const names = await askDatabase(() =>
      inTransaction(parts.database, async (transaction) => {
        const removed = isDigest
          ? await removeManifest(transaction, grant, reference)
          : await removeTag(transaction, grant, reference);
        if (!removed) return null;
        if (isDigest) await parts.blobs.drop(transaction, new Map([[reference, 1]]));
        await events.deleted(transaction, grant, [reference]);
        return removed;
      }),
    ).catch((error: unknown) => {
      // It is unknown whether the transaction was committed.
      memory.forget(grant.repository.id);
      throw error;
    });
    if (!names) return false;
    memory.forget(grant.repository.id, [reference, ...names]);
    events.tell(grant);
    return true;
  };
}

async function removeTag(
  transaction: RegistryTransaction,
  grant: Grant,
  name: string,
): Promise<string[] | null> {
  const deleted = await transaction
    .deleteFrom("registry_tags")
    .where("repository_id", "=", grant.repository.id)
    .where("name", "=", name)
    .returning("digest")
    .execute();
  if (deleted.length === 0) return null;
  await refuseImmutable(transaction, grant, { tags: [name], does: "deleted" });
  const digests = deleted.map(({ digest }) => digest);
  await markUntagged(transaction, grant.repository.id, digests);
  return [];
}

/** @returns its tags; null when it does not exist */
async function removeManifest(
  transaction: RegistryTransaction,
  grant: Grant,
  digest: string,
): Promise<string[] | null> {
  const { id: repositoryId, name } = grant.repository;
  const deleted = await transaction
    .deleteFrom("registry_manifests")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .returning("digest")
    .execute();
  if (deleted.length === 0) return null;
  const index = await transaction
    .selectFrom("registry_references")
    .select("manifest_digest")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .where("kind", "=", "manifest")
    .limit(1)
    .executeTakeFirst();
  if (index)
    throw new RegistryError(
      "DENIED",
      `${digest} belongs to the index ${index.manifest_digest} of ${name}; delete that index first`,
      { detail: { index: index.manifest_digest } },
    );
  const tags = await transaction
    .deleteFrom("registry_tags")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .returning("name")
    .execute();
  const names = tags.map((tag) => tag.name);
  await refuseImmutable(transaction, grant, { tags: names, does: "deleted" });
  await markNamedBy(transaction, repositoryId, [digest]);
  await transaction
    .deleteFrom("registry_references")
    .where("repository_id", "=", repositoryId)
    .where("manifest_digest", "=", digest)
    .execute();
  return names;
}
