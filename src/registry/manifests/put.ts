/**
 * A push of a manifest: everything that it names must exist; then the manifest, its references and its tags are written
 * together.
 *
 *   read ─► receive its bytes, verify the digest ─► transaction: check, manifest, references, tags, events
 */
import { askDatabase } from "#accounts/index.ts";
import type { ReceivedBlob } from "#platform/blobs/upload.ts";
import { inTransaction } from "#platform/database/database.ts";
import { findReferences } from "./find-references.ts";
import { MAX_MANIFEST_BYTES } from "../contract/limits.ts";
import { describeManifest, readConfig } from "./describe.ts";
import type { ManifestMemory } from "./memory.ts";
import { algorithmOf, isTag } from "../contract/names.ts";
import type { RegistryParts } from "../contract/parts.ts";
import { readManifest } from "./read.ts";
import { payerOf } from "../blobs/quota.ts";
import type { Grant, Manifests, PutManifest } from "../contract/registry.ts";
import { RegistryError } from "../contract/registry-error.ts";
import type { TagEvents } from "./tag-events.ts";
import { createTagCount, moveTags, type TagCount } from "./move-tags.ts";
import { writeManifest } from "./write.ts";

export interface ManifestTools {
  parts: RegistryParts;
  memory: ManifestMemory;
  events: TagEvents;
}

interface PutTools extends ManifestTools {
  tagCount: TagCount;
}

export function createPutting(tools: ManifestTools): Manifests["put"] {
  const tagCount = createTagCount(tools.parts);
  return (grant, manifest) => putManifest({ ...tools, tagCount }, grant, manifest);
}

async function putManifest(
  { tagCount, ...tools }: PutTools,
  grant: Grant,
  manifest: PutManifest,
): Promise<{ digest: string; subject: string }> {
  const { parts, memory, events } = tools;
  const { bytes } = manifest;
  const { digest: named, tags } = readReference(manifest);
  if (bytes.length > MAX_MANIFEST_BYTES) throw tooLarge();
  const read = readManifest(bytes, manifest.mediaType);
  const received = await receive(parts, bytes, named);
  const { digest } = received;
  const { repository } = grant;
  let isNew = false;
  try {
    await tagCount.requireRoom(grant, tags);
    if (!(await isKnown(parts, repository.id, digest)))
      await parts.quota.room(payerOf(repository), bytes.length);
    const config = await readConfig(parts, grant, read);
    await askDatabase(() =>
      inTransaction(parts.database, async (transaction) => {
        const found = await findReferences(transaction, grant, read);
        const described = await describeManifest(transaction, grant, { read, found, config });
        isNew = await writeManifest(parts, transaction, { grant, read, received, described });
        await moveTags(parts, transaction, { grant, tags, digest });
        await events.pushed(transaction, grant, tags);
      }),
    );
  } finally {
    await parts.blobs.settle(received);
    // Also when it is unknown whether the transaction was committed.
    memory.forget(repository.id, [digest, ...tags]);
  }
  if (isNew) parts.quota.add(payerOf(repository), bytes.length);
  if (tags.length > 0) events.tell(grant, tags);
  return { digest, subject: read.subject };
}

/** Another tag of an existing manifest takes no room. */
async function isKnown(
  { database: { db } }: RegistryParts,
  repositoryId: string,
  digest: string,
): Promise<boolean> {
  const query = db
    .selectFrom("registry_manifests")
    .select("digest")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest);
  return (await askDatabase(() => query.executeTakeFirst())) !== undefined;
}

function readReference({ reference, tags = [] }: PutManifest): {
  digest: string | undefined;
  tags: string[];
} {
  const isDigest = reference.includes(":");
  if (isDigest && !algorithmOf(reference))
    throw new RegistryError(
      "DIGEST_INVALID",
      `${reference.slice(0, 200)} is not a digest; it must be sha256: or sha512: and the hash in hexadecimal`,
    );
  const all = [...new Set(isDigest ? tags : [reference, ...tags])];
  const wrong = all.find((tag) => !isTag(tag));
  if (wrong !== undefined)
    throw new RegistryError(
      "MANIFEST_INVALID",
      `${wrong.slice(0, 200)} is not a tag; a tag has 1 to 128 letters, digits, "_", "-" and ".", and does not begin with "-" or "."`,
    );
  return { digest: isDigest ? reference : undefined, tags: all };
}

/** @throws UploadError when the digest is not the named one */
async function receive(
  { blobs }: Pick<RegistryParts, "blobs">,
  bytes: Uint8Array,
  named: string | undefined,
): Promise<ReceivedBlob> {
  const algorithm = (named && algorithmOf(named)) || "sha256";
  const upload = blobs.receive({ maxBytes: MAX_MANIFEST_BYTES, algorithm });
  try {
    await upload.write(bytes);
    return await upload.finish(named);
  } catch (error) {
    await upload.abort();
    throw error;
  }
}

export const tooLarge = () =>
  new RegistryError("SIZE_INVALID", `a manifest can have at most ${MAX_MANIFEST_BYTES} bytes`, {
    status: 413,
  });
