/** Removes rows that belong together, in the caller's transaction. */
import type { RegistryTransaction } from "../contract/schema.ts";

/** All tags of the images. */
async function removeTagRows(
  transaction: RegistryTransaction,
  repositoryId: string,
  digests: readonly string[],
): Promise<void> {
  if (digests.length === 0) return;
  await transaction
    .deleteFrom("registry_tags")
    .where("repository_id", "=", repositoryId)
    .where("digest", "in", digests)
    .execute();
}

/** Manifests with their tags and references. Their references to `platform/blobs` are left to the caller. */
export async function removeManifestRows(
  transaction: RegistryTransaction,
  repositoryId: string,
  digests: readonly string[],
): Promise<void> {
  if (digests.length === 0) return;
  await removeTagRows(transaction, repositoryId, digests);
  await transaction
    .deleteFrom("registry_references")
    .where("repository_id", "=", repositoryId)
    .where("manifest_digest", "in", digests)
    .execute();
  await transaction
    .deleteFrom("registry_manifests")
    .where("repository_id", "=", repositoryId)
    .where("digest", "in", digests)
    .execute();
}
