import type { ReceivedBlob } from "#platform/blobs/upload.ts";
import type { DescribedManifest } from "./describe.ts";
import { MAX_ANNOTATION_BYTES, ROWS_AT_ONCE } from "../contract/limits.ts";
import type { RegistryParts } from "../contract/parts.ts";
import type { ReadManifest } from "./read.ts";
import type { Grant } from "../contract/registry.ts";
import { ensureRepository } from "../blobs/rows.ts";
import type { RegistryTransaction } from "../contract/schema.ts";
import { markNamedBy } from "../sweep/marks.ts";
import { refuseImmutable } from "./tags.ts";

const UNUSED = { pulls: 0, pulled_at: null, puller: "" };

interface WrittenManifest {
  grant: Grant;
  read: ReadManifest;
  received: ReceivedBlob;
  described: DescribedManifest;
}

/**
 * Writes a manifest with its references. An existing one counts as pushed once more, and keeps its pulls.
 * @returns whether it is new
 */
export async function writeManifest(
  { blobs, clock }: Pick<RegistryParts, "blobs" | "clock">,
  transaction: RegistryTransaction,
  { grant, read, received, described }: WrittenManifest,
): Promise<boolean> {
  const { digest } = received;
  const { id: repositoryId } = grant.repository;
  const key = { repository_id: repositoryId, digest };
  await ensureRepository(transaction, grant.repository, clock());
  const pushed = {
    ...columnsOf(read, described),
    ...pusherOf(grant),
    size: received.size,
    pushed_at: clock(),
    sweep_at: 0,
  };
  const former = await transaction
    .selectFrom("registry_manifests")
    .select("media_type")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .executeTakeFirst();
  if (former) {
    if (former.media_type !== read.mediaType) await refuseOtherType(transaction, grant, digest);
    await transaction
      .updateTable("registry_manifests")
      .set(pushed)
      .where("repository_id", "=", repositoryId)
      .where("digest", "=", digest)
      .execute();
    // Its bytes may have been damaged: these repair them. The row's reference stays the only one.
    const lost = transaction
      .selectFrom("blobs")
      .select("digest")
      .where("digest", "=", digest)
      .where("is_damaged", "=", 1);
    if (await lost.executeTakeFirst()) {
      await blobs.keep(transaction, received);
      await blobs.drop(transaction, new Map([[digest, 1]]));
    }
    // Another media type may read the same bytes in another way.
    if (former.media_type !== read.mediaType) await markNamedBy(transaction, repositoryId, [digest]);
    await transaction
      .deleteFrom("registry_references")
      .where("repository_id", "=", repositoryId)
      .where("manifest_digest", "=", digest)
      .execute();
  } else {
    await blobs.keep(transaction, received);
    await transaction
      .insertInto("registry_manifests")
      .values({ ...key, ...pushed, ...UNUSED, created_at: clock() })
      .execute();
  }
  await writeReferences(transaction, key, read);
  return !former;
}

/** The same bytes under another media type are pulled as something else, or not at all. @throws RegistryError DENIED */
async function refuseOtherType(
  transaction: RegistryTransaction,
  grant: Grant,
  digest: string,
): Promise<void> {
  const tags = await transaction
    .selectFrom("registry_tags")
    .select("name")
    .where("repository_id", "=", grant.repository.id)
    .where("digest", "=", digest)
    .execute();
  await refuseImmutable(transaction, grant, { tags: tags.map(({ name }) => name), does: "changed" });
}

async function writeReferences(
  transaction: RegistryTransaction,
  { repository_id, digest: manifest_digest }: { repository_id: string; digest: string },
  { references }: ReadManifest,
): Promise<void> {
  const rows = references.map(({ digest, kind, mediaType, size, platform }, position) => ({
    repository_id,
    manifest_digest,
    position,
    digest,
    kind,
    media_type: mediaType,
    size,
    platform,
  }));
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
    await transaction
      .insertInto("registry_references")
      .values(rows.slice(start, start + ROWS_AT_ONCE))
      .execute();
}

function writeAnnotations(annotations: ReadManifest["annotations"]): string {
  if (Object.keys(annotations).length === 0) return "";
  // PostgreSQL stores neither NUL nor half a character; JSON writes both as escapes.
  const text = JSON.stringify(annotations);
  return Buffer.byteLength(text) > MAX_ANNOTATION_BYTES ? "" : text;
}

/** Columns with the manifest's own content. */
const columnsOf = (read: ReadManifest, { imageBytes, platforms, commitSha }: DescribedManifest) => ({
  media_type: read.mediaType,
  artifact_type: read.artifactType,
  subject: read.subject,
  image_bytes: imageBytes,
  annotations: writeAnnotations(read.annotations),
  platforms,
  commit_sha: commitSha,
});

const pusherOf = ({ actor }: Grant) => ({
  pushed_by: actor.kind === "user" ? actor.userId : actor.tokenId,
  pusher: actor.name,
});
