/** What refers to a manifest: signatures, SBOMs, provenance. */
import { MAX_LISTED, MAX_REFERRERS_BYTES } from "./limits.ts";
import { isTypeName } from "./names.ts";
import type { Descriptor, Listed } from "./registry.ts";
import type { RegistryDatabase } from "./schema.ts";

/** Of the list around them. */
const ENVELOPE_BYTES = 200;

export async function listReferrers(
  { db }: Pick<RegistryDatabase, "db">,
  repositoryId: string,
  {
    digest,
    artifactType,
    last = "",
  }: { digest: string; artifactType?: string | undefined; last?: string | undefined },
): Promise<Listed<Descriptor>> {
  // No manifest has such a type.
  if (artifactType !== undefined && !isTypeName(artifactType)) return { items: [], hasMore: false };
  let query = db
    .selectFrom("registry_manifests")
    .select(["digest", "media_type", "artifact_type", "size", "annotations"])
    .where("repository_id", "=", repositoryId)
    .where("subject", "=", digest)
    .where("digest", ">", last);
  if (artifactType !== undefined) query = query.where("artifact_type", "=", artifactType);
  const rows = await query
    .orderBy("digest")
    .limit(MAX_LISTED + 1)
    .execute();
  const items: Descriptor[] = [];
  let bytes = 0;
  for (const row of rows.slice(0, MAX_LISTED)) {
    const item = {
      mediaType: row.media_type,
      digest: row.digest,
      size: row.size,
      ...(row.artifact_type !== "" && { artifactType: row.artifact_type }),
      ...(row.annotations !== "" && { annotations: JSON.parse(row.annotations) as Record<string, string> }),
    };
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (items.length > 0 && bytes > MAX_REFERRERS_BYTES - ENVELOPE_BYTES) break;
    items.push(item);
  }
  return { items, hasMore: items.length < rows.length };
}
