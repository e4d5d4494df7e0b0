/** Which blobs a repository has, in the caller's transaction. */
import type { Blobs } from "#platform/blobs/blobs.ts";
import type { ReceivedBlob } from "#platform/blobs/upload.ts";
import { MIRROR } from "../contract/names.ts";
import type { Repository } from "../contract/registry.ts";
import type { RegistryTransaction } from "../contract/schema.ts";

/** The repository's row, created by the first push or the first pull-through. */
export async function ensureRepository(
  transaction: RegistryTransaction,
  { id, organizationId, projectId, name }: Repository,
  now: number,
): Promise<void> {
  await transaction
    .insertInto("registry_repositories")
    .values({
      id,
      organization_id: organizationId,
      mirror: projectId === null ? name.slice(MIRROR.length + 1) : "",
      created_at: now,
    })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
}

export interface NamedBlob {
  repository: Repository;
  digest: string;
  size: number;
  now: number;
}

/** Names a received blob. @returns false when the repository has it already: there is no second reference to it */
export async function nameReceived(
  transaction: RegistryTransaction,
  blobs: Blobs,
  { received, ...blob }: Omit<NamedBlob, "digest" | "size"> & { received: ReceivedBlob },
): Promise<boolean> {
  await ensureRepository(transaction, blob.repository, blob.now);
  const { digest, size } = received;
  const isNew = await addRow(transaction, { ...blob, digest, size });
  // The received bytes repair a damaged blob.
  if (!isNew && (await isSound(transaction, digest))) return false;
  await blobs.keep(transaction, received);
  if (!isNew) await blobs.drop(transaction, new Map([[digest, 1]]));
  return isNew;
}

async function isSound(transaction: RegistryTransaction, digest: string): Promise<boolean> {
  const row = await transaction
    .selectFrom("blobs")
    .select("is_damaged")
    .where("digest", "=", digest)
    .executeTakeFirst();
  return row?.is_damaged === 0;
}

/** Names a stored blob. @returns false when it is missing or damaged */
export async function nameKnown(
  transaction: RegistryTransaction,
  blobs: Blobs,
  blob: NamedBlob,
): Promise<boolean> {
  if (!(await blobs.keepKnown(transaction, blob.digest))) return false;
  await ensureRepository(transaction, blob.repository, blob.now);
  if (!(await addRow(transaction, blob))) await blobs.drop(transaction, new Map([[blob.digest, 1]]));
  return true;
}

/** @returns false when the row was there already; then its last use is updated */
async function addRow(
  transaction: RegistryTransaction,
  { repository, digest, size, now }: NamedBlob,
): Promise<boolean> {
  const added = await transaction
    .insertInto("registry_blobs")
    .values({ repository_id: repository.id, digest, size, used_at: now })
    .onConflict((conflict) => conflict.columns(["repository_id", "digest"]).doNothing())
    .executeTakeFirst();
  if ((added.numInsertedOrUpdatedRows ?? 0n) > 0n) return true;
  await transaction
    .updateTable("registry_blobs")
    .set({ used_at: now })
    .where("repository_id", "=", repository.id)
    .where("digest", "=", digest)
    .where("used_at", "<", now)
    .execute();
  return false;
}
