/**
 * Tells the sweep where to look, so that it need not read everything each hour. Code that removes what kept something says so
 * here, in the same transaction:
 *
 *   a tag is moved or deleted ─► the manifest that it named
 *   a manifest is removed     ─► the manifests and blobs that it named, those whose subject it was, and those whose tag
 *                                says that they belong to it
 *
 * Marking too much costs one check; the next sweep checks new content on its own.
 */
import { attachedTags } from "../contract/names.ts";
import type { RegistryTransaction } from "../contract/schema.ts";

/** @param digests of manifests that have lost a tag */
export async function markUntagged(
  transaction: RegistryTransaction,
  repositoryId: string,
  digests: readonly string[],
): Promise<void> {
  if (digests.length === 0) return;
  await transaction
    .updateTable("registry_manifests")
    .set({ sweep_at: 0 })
    .where("repository_id", "=", repositoryId)
    .where("digest", "in", digests)
    .execute();
}

/**
 * Call it before the rows of their references are deleted.
 * @param digests of manifests that are removed, or whose references change
 */
export async function markNamedBy(
  transaction: RegistryTransaction,
  repositoryId: string,
  digests: readonly string[],
): Promise<void> {
  if (digests.length === 0) return;
  const named = transaction
    .selectFrom("registry_references")
    .select("registry_references.digest")
    .where("registry_references.repository_id", "=", repositoryId)
    .where("manifest_digest", "in", digests);
  await transaction
    .updateTable("registry_manifests")
    .set({ sweep_at: 0 })
    .where("repository_id", "=", repositoryId)
    .where("digest", "in", named.where("kind", "=", "manifest"))
    .execute();
  await transaction
    .updateTable("registry_manifests")
    .set({ sweep_at: 0 })
    .where("repository_id", "=", repositoryId)
    .where("subject", "in", digests)
    .execute();
  const attached = transaction
    .selectFrom("registry_tags")
    .select("registry_tags.digest")
    .where("registry_tags.repository_id", "=", repositoryId)
    .where("name", "in", digests.flatMap(attachedTags));
  await transaction
    .updateTable("registry_manifests")
    .set({ sweep_at: 0 })
    .where("repository_id", "=", repositoryId)
    .where("digest", "in", attached)
    .execute();
  await transaction
    .updateTable("registry_blobs")
    .set({ sweep_at: 0 })
    .where("repository_id", "=", repositoryId)
    .where("digest", "in", named)
    .execute();
}
