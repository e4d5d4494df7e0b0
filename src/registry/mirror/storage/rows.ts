/** Rows of pulled-through content, and how they are removed. */
import { type ExpressionBuilder, sql } from "kysely";
import type { BlobTables } from "#platform/blobs/schema.ts";
import { inTransaction } from "#platform/database/database.ts";
import { ROWS_AT_ONCE } from "../../contract/limits.ts";
import type { RegistryParts } from "../../contract/parts.ts";
import type { Grant } from "../../contract/registry.ts";
import { removeManifestRows } from "../../sweep/remove-rows.ts";
import type { RegistryTables } from "../../contract/schema.ts";
import { REMOVED_AT_ONCE, TOUCH_MS } from "../limits.ts";

type Parts = Pick<RegistryParts, "database" | "blobs" | "clock">;
type Tables = RegistryTables & BlobTables;

/** Many clients only check whether a tag is still the same, and have the rest already: that is also a use. */
export async function touchManifest(
  { database, clock }: Pick<Parts, "database" | "clock">,
  { repository }: Grant,
  digest: string,
): Promise<void> {
  await database.db
    .updateTable("registry_manifests")
    .set({ pushed_at: clock() })
    .where("repository_id", "=", repository.id)
    .where("digest", "=", digest)
    .where("pushed_at", "<", clock() - TOUCH_MS)
    .execute();
}

/** Bytes of all mirrors, each blob counted once. */
export async function countMirrorBytes({ database }: Pick<Parts, "database">): Promise<number> {
  const { rows } = await sql<{ bytes: number | string | null }>`
    with mirrors as (select id from registry_repositories where mirror <> '')
    select sum(size) as bytes from (
      select digest, size from registry_blobs where repository_id in (select id from mirrors)
      union
      select digest, size from registry_manifests where repository_id in (select id from mirrors)
    ) as kept`.execute(database.db);
  return Number(rows[0]?.bytes ?? 0);
}

/**
 * Removes the manifests that were used the longest ago, and that no index names.
 * @param before milliseconds since 1970; manifests that were used later stay
 * @param bytes how much to remove, if not all
 * @returns the repositories that lost something; none: nothing was left
 */
export function removeOldManifests(
  { database, blobs }: Parts,
  { before, bytes = Number.POSITIVE_INFINITY }: { before: number; bytes?: number },
): Promise<string[]> {
  return inTransaction(database, async (transaction) => {
    const found = await transaction
      .selectFrom("registry_manifests as manifest")
      .innerJoin("registry_repositories", "registry_repositories.id", "manifest.repository_id")
      .select(["manifest.repository_id", "manifest.digest"])
      .select(({ selectFrom }) =>
        selectFrom("registry_references as named")
          .select(({ fn }) => fn.sum<number | string | null>("named.size").as("size"))
          .whereRef("named.repository_id", "=", "manifest.repository_id")
          .whereRef("named.manifest_digest", "=", "manifest.digest")
          .as("named_bytes"),
      )
      .where("mirror", "!=", "")
      .where("pushed_at", "<", before)
      .where((row) => row.or([row("pulled_at", "is", null), row("pulled_at", "<", before)]))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("registry_references as reference")
              .select("reference.digest")
              .whereRef("reference.repository_id", "=", "manifest.repository_id")
              .whereRef("reference.digest", "=", "manifest.digest")
              .where("kind", "=", "manifest"),
          ),
        ),
      )
      .orderBy(sql`case when coalesce(pulled_at, 0) > pushed_at then pulled_at else pushed_at end`)
      .limit(REMOVED_AT_ONCE)
      .execute();
    let sum = 0;
    // Blobs that other manifests also name stay, so this may be too few, and never too many.
    const rows = found.filter(({ named_bytes: named }) => {
      const isWanted = sum < bytes;
      sum += Number(named ?? 0);
      return isWanted;
    });
    for (const row of rows) await removeManifestRows(transaction, row.repository_id, [row.digest]);
    await blobs.drop(transaction, countDigests(rows));
    return [...new Set(rows.map((row) => row.repository_id))];
  });
}

/** Removes blobs that no manifest of their repository names. @returns how many */
export function removeUnnamedBlobs({ database, blobs }: Parts, before: number): Promise<number> {
  return inTransaction(database, async (transaction) => {
    const rows = await transaction
      .selectFrom("registry_blobs as blob")
      .innerJoin("registry_repositories", "registry_repositories.id", "blob.repository_id")
      .select(["blob.repository_id", "blob.digest"])
      .where("mirror", "!=", "")
      .where("used_at", "<", before)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("registry_references as reference")
              .select("reference.digest")
              .whereRef("reference.repository_id", "=", "blob.repository_id")
              .whereRef("reference.digest", "=", "blob.digest"),
          ),
        ),
      )
      .limit(ROWS_AT_ONCE)
      .execute();
    for (const [repositoryId, named] of Map.groupBy(rows, (row) => row.repository_id))
      await transaction
        .deleteFrom("registry_blobs")
        .where("repository_id", "=", repositoryId)
        .where(
          "digest",
          "in",
          named.map(({ digest }) => digest),
        )
        .execute();
    await blobs.drop(transaction, countDigests(rows));
    return rows.length;
  });
}

/** Removes empty repositories. */
export async function removeEmptyMirrors({ database }: Parts, before: number): Promise<void> {
  const has =
    (table: "registry_manifests" | "registry_blobs") =>
    ({ not, exists, selectFrom }: ExpressionBuilder<Tables, "registry_repositories">) =>
      not(
        exists(
          selectFrom(table)
            .select(`${table}.digest`)
            .whereRef(`${table}.repository_id`, "=", "registry_repositories.id"),
        ),
      );
  await database.db
    .deleteFrom("registry_repositories")
    .where("mirror", "!=", "")
    .where("created_at", "<", before)
    .where(has("registry_manifests"))
    .where(has("registry_blobs"))
    .execute();
}

function countDigests(rows: readonly { digest: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { digest } of rows) counts.set(digest, (counts.get(digest) ?? 0) + 1);
  return counts;
}
