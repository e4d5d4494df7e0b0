/** A manifest's referrers: signatures, SBOMs, provenance. */
import { FEW_REFERRERS, MAX_LISTED, MAX_REFERRERS_BYTES, REFERRERS_AT_ONCE } from "../contract/limits.ts";
import { isTypeName } from "../contract/names.ts";
import type { Descriptor, Listed, ReferrersQuestion } from "../contract/registry.ts";
import type { RegistryDatabase } from "../contract/schema.ts";

/** Bytes of the list around the referrers. */
const ENVELOPE_BYTES = 200;

export async function listReferrers(
  { db }: Pick<RegistryDatabase, "db">,
  repositoryId: string,
  { digest, artifactType, last = "", awaitRoom }: ReferrersQuestion,
): Promise<Listed<Descriptor>> {
  // No manifest has such a type.
  if (artifactType !== undefined && !isTypeName(artifactType)) return { items: [], hasMore: false };
  const items: Descriptor[] = [];
  let bytes = 0;
  for (let limit = FEW_REFERRERS; ; limit = REFERRERS_AT_ONCE) {
    const after = items.at(-1)?.digest ?? last;
    const most = Math.min(limit, MAX_LISTED - items.length);
    const rows = await findReferrers(db, [repositoryId, digest, after, artifactType], most + 1);
    for (const row of rows.slice(0, most)) {
      const item = toDescriptor(row);
      bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
      if (items.length > 0 && bytes > MAX_REFERRERS_BYTES - ENVELOPE_BYTES) return { items, hasMore: true };
      items.push(item);
    }
    const hasMore = rows.length > most;
    if (!hasMore || items.length === MAX_LISTED) return { items, hasMore };
    if (limit === FEW_REFERRERS) await awaitRoom?.();
  }
}

type Row = Awaited<ReturnType<typeof findReferrers>>[number];

function findReferrers(
  db: RegistryDatabase["db"],
  [repositoryId, digest, after, artifactType]: readonly [string, string, string, string | undefined],
  limit: number,
) {
  let query = db
    .selectFrom("registry_manifests")
    .select(["digest", "media_type", "artifact_type", "size", "annotations"])
    .where("repository_id", "=", repositoryId)
    .where("subject", "=", digest)
    .where("digest", ">", after);
  if (artifactType !== undefined) query = query.where("artifact_type", "=", artifactType);
  return query.orderBy("digest").limit(limit).execute();
}

const toDescriptor = (row: Row): Descriptor => ({
  mediaType: row.media_type,
  digest: row.digest,
  size: row.size,
  ...(row.artifact_type !== "" && { artifactType: row.artifact_type }),
  ...(row.annotations !== "" && { annotations: JSON.parse(row.annotations) as Record<string, string> }),
});
