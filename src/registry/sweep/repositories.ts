/** Everything of repositories whose project is gone, and of what was pulled through for an organization that is gone. */
import type { Blobs } from "#platform/blobs/blobs.ts";
import { inTransaction } from "#platform/database/database.ts";
import { inPortions } from "./in-portions.ts";
import { ROWS_AT_ONCE, SWEPT_BLOBS, SWEPT_MANIFESTS, SWEPT_UPLOADS } from "../contract/limits.ts";
import { removeManifestRows } from "./remove-rows.ts";
import type { RegistryDatabase, RegistryTransaction } from "../contract/schema.ts";
import { removeBlobs } from "./blobs.ts";
import type { SweepOptions } from "./manifests.ts";
import { discardAll } from "../uploads/end.ts";
import { removeUploads } from "../uploads/rows.ts";

/** @param signal ends it between two transactions */
export async function sweepRepositories(options: SweepOptions, signal: AbortSignal): Promise<void> {
  for (let after = ""; !signal.aborted;) {
    const gone = await findGone(options.database, after);
    for (const id of gone) await removeRepository(options, id, signal);
    const last = gone.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

async function findGone({ db }: RegistryDatabase, after: string): Promise<string[]> {
  const rows = await db
    .selectFrom("registry_repositories as repository")
    .select("repository.id")
    .where("repository.id", ">", after)
    .where(({ and, eb, exists, not, or, selectFrom }) => {
      const project = selectFrom("projects").select("id").whereRef("projects.id", "=", "repository.id");
      const organization = selectFrom("organizations")
        .select("id")
        .whereRef("organizations.id", "=", "repository.organization_id");
      return or([
        and([eb("mirror", "=", ""), not(exists(project))]),
        and([eb("mirror", "!=", ""), eb("organization_id", "!=", ""), not(exists(organization))]),
      ]);
    })
    .orderBy("repository.id")
    .limit(ROWS_AT_ONCE)
    .execute();
  return rows.map(({ id }) => id);
}

/** In portions; the row is removed last, so that the next sweep continues one that ended early. */
async function removeRepository(
  options: SweepOptions,
  repositoryId: string,
  signal: AbortSignal,
): Promise<void> {
  const { database, blobs, forget } = options;
  const steps = [
    () => removeSomeUploads(options, repositoryId),
    () => inTransaction(database, (transaction) => removeSomeManifests(transaction, blobs, repositoryId)),
    () => inTransaction(database, (transaction) => removeSomeBlobs(transaction, blobs, repositoryId)),
    () => inTransaction(database, (transaction) => removeRow(transaction, repositoryId)),
  ];
  try {
    for (const step of steps) await inPortions(step, signal);
  } finally {
    forget(repositoryId);
  }
}

async function removeSomeUploads(options: SweepOptions, repositoryId: string): Promise<boolean> {
  const places = await inTransaction(options.database, async (transaction) => {
    const rows = await transaction
      .selectFrom("registry_uploads")
      .select("id")
      .where("repository_id", "=", repositoryId)
      .limit(SWEPT_UPLOADS)
      .execute();
    const ids = rows.map(({ id }) => id);
    return ids.length > 0 && (await removeUploads(transaction, ids));
  });
  if (!places) return false;
  await discardAll(options, places);
  return true;
}

async function removeSomeManifests(
  transaction: RegistryTransaction,
  blobs: Blobs,
  repositoryId: string,
): Promise<boolean> {
  const rows = await transaction
    .selectFrom("registry_manifests")
    .select("digest")
    .where("repository_id", "=", repositoryId)
    .limit(SWEPT_MANIFESTS)
    .execute();
  const digests = rows.map(({ digest }) => digest);
  if (digests.length === 0) return false;
  await removeManifestRows(transaction, repositoryId, digests);
  await blobs.drop(transaction, new Map(digests.map((digest) => [digest, 1])));
  return true;
}

async function removeSomeBlobs(
  transaction: RegistryTransaction,
  blobs: Blobs,
  repositoryId: string,
): Promise<boolean> {
  const rows = await transaction
    .selectFrom("registry_blobs")
    .select("digest")
    .where("repository_id", "=", repositoryId)
    .limit(SWEPT_BLOBS)
    .execute();
  const digests = rows.map(({ digest }) => digest);
  if (digests.length === 0) return false;
  await removeBlobs(transaction, { repositoryId, digests });
  await blobs.drop(transaction, new Map(digests.map((digest) => [digest, 1])));
  return true;
}

/** Unless a concurrent push has put something there meanwhile; the next sweep removes that. */
async function removeRow(transaction: RegistryTransaction, repositoryId: string): Promise<false> {
  for (const table of ["registry_manifests", "registry_blobs", "registry_uploads"] as const) {
    const row = await transaction
      .selectFrom(table)
      .select("repository_id")
      .where("repository_id", "=", repositoryId)
      .limit(1)
      .executeTakeFirst();
    if (row) return false;
  }
  await transaction.deleteFrom("registry_repositories").where("id", "=", repositoryId).execute();
  return false;
}
