/** Which blobs a repository has: no one gets a blob by its digest alone. */
import { Refused } from "#accounts/index.ts";
import { inTransaction } from "#platform/database/database.ts";
import type { GrantRepository } from "../access/grant.ts";
import { MAX_MOUNT_SOURCES, REDIRECT_SECONDS, USE_EXACT_MS } from "../contract/limits.ts";
import { parseRepositoryName } from "../contract/names.ts";
import type { RegistryParts } from "../contract/parts.ts";
import { payerOf } from "./quota.ts";
import type { Grant, RegistryCaller, Repository, RepositoryBlobs } from "../contract/registry.ts";
import { RegistryError } from "../contract/registry-error.ts";
import { nameKnown } from "./rows.ts";

export function createRepositoryBlobs(parts: RegistryParts, grant: GrantRepository): RepositoryBlobs {
  const { database, blobs, clock, store, redirectBlobs } = parts;
  return {
    async find({ repository }, digest) {
      const row = await database.db
        .selectFrom("registry_blobs")
        .select("used_at")
        .where("repository_id", "=", repository.id)
        .where("digest", "=", digest)
        .executeTakeFirst();
      const blob = row && (await blobs.find(digest));
      if (!blob || clock() - row.used_at <= USE_EXACT_MS) return blob;
      const marked = await database.db
        .updateTable("registry_blobs")
        .set({ used_at: clock() })
        .where("repository_id", "=", repository.id)
        .where("digest", "=", digest)
        .executeTakeFirst();
      // Removed meanwhile: no caller may rely on it.
      return marked.numUpdatedRows > 0n ? blob : undefined;
    },
    async mount(caller, to, { digest, from }) {
      const names = from === undefined ? await findSources(parts, to, digest) : [from];
      for (const name of names) {
        const source = await findSource(grant, caller, { name, isNamed: from !== undefined });
        if (source && (await mountBlob(parts, { from: source, to: to.repository, digest }))) return true;
      }
      return false;
    },
    // A blob that is stored compressed must be decoded.
    addressOf: ({ place, encoding }) =>
      redirectBlobs && store.signedAddress && place !== null && encoding === "identity"
        ? store.signedAddress(place, { seconds: REDIRECT_SECONDS })
        : Promise.resolve(null),
    remove: ({ repository }, digest) => removeBlob(parts, repository, digest),
  };
}

/**
 * @param isNamed by the client, which then also gets a challenge for it, where its token of `/v2/token` does not cover it
 * @returns undefined for a repository that the caller may not read, as if the blob were not there
 */
async function findSource(
  grant: GrantRepository,
  caller: RegistryCaller,
  { name, isNamed }: { name: string; isNamed: boolean },
): Promise<Repository | undefined> {
  try {
    return (await grant(caller, name, "pull")).repository;
  } catch (error) {
    const isAsked = isNamed && parseRepositoryName(name)?.kind === "project";
    if (isAsked && error instanceof RegistryError && error.status === 401) throw error;
    const isRefusal =
      error instanceof RegistryError || (error instanceof Refused && error.code !== "unavailable");
    if (isRefusal) return undefined;
    throw error;
  }
}

/** Names of projects of the same organization that have the blob. */
async function findSources(
  { database }: RegistryParts,
  { repository }: Grant,
  digest: string,
): Promise<string[]> {
  if (repository.projectId === null) return [];
  const rows = await database.db
    .selectFrom("registry_blobs")
    .innerJoin("projects", "projects.id", "registry_blobs.repository_id")
    .innerJoin("organizations", "organizations.id", "projects.organization_id")
    .select(["organizations.name as organization", "projects.name as project"])
    .where("digest", "=", digest)
    .where("organization_id", "=", repository.organizationId)
    .limit(MAX_MOUNT_SOURCES)
    .execute();
  return rows.map(({ organization, project }) => `${organization}/${project}`);
}

interface Mounting {
  from: Repository;
  to: Repository;
  digest: string;
}

async function mountBlob(parts: RegistryParts, { from, to, digest }: Mounting): Promise<boolean> {
  const { database, blobs, clock, quota } = parts;
  const find = (db: typeof database.db) =>
    db
      .selectFrom("registry_blobs")
      .select("size")
      .where("repository_id", "=", from.id)
      .where("digest", "=", digest)
      .executeTakeFirst();
  const found = await find(database.db);
  if (!found) return false;
  // Within an organization a blob counts once.
  const added = payerOf(from) === payerOf(to) ? 0 : found.size;
  if (added > 0) await quota.room(payerOf(to), added);
  const isMounted = await inTransaction(database, async (transaction) => {
    const row = await find(transaction);
    return row
      ? nameKnown(transaction, blobs, { repository: to, digest, size: row.size, now: clock() })
      : false;
  });
  if (isMounted) quota.add(payerOf(to), added);
  return isMounted;
}

async function removeBlob(
  { database, blobs }: RegistryParts,
  repository: Repository,
  digest: string,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const naming = await transaction
      .selectFrom("registry_references")
      .select("manifest_digest")
      .where("repository_id", "=", repository.id)
      .where("digest", "=", digest)
      .limit(1)
      .executeTakeFirst();
    if (naming)
      throw new RegistryError(
        "DENIED",
        `the manifest ${naming.manifest_digest} names this blob; delete the image first`,
      );
    const removed = await transaction
      .deleteFrom("registry_blobs")
      .where("repository_id", "=", repository.id)
      .where("digest", "=", digest)
      .executeTakeFirst();
    if (removed.numDeletedRows === 0n) return false;
    await blobs.drop(transaction, new Map([[digest, 1]]));
    return true;
  });
}
