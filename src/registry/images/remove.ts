/** Deleting removes names; the sweep and the collector remove bytes. */
import { askDatabase, quoteReference, Refused } from "#accounts/index.ts";
import type { RemovedImage } from "../contract/images.ts";
import type { ImageReading } from "./access.ts";
import { countFreed } from "./freed.ts";
import { attachedTags } from "../contract/names.ts";
import type { RegistryParts } from "../contract/parts.ts";
import type { Grant, Manifests } from "../contract/registry.ts";
import type { RegistryDatabase } from "../contract/schema.ts";

interface Tools {
  parts: RegistryParts;
  manifests: Manifests;
  reading: ImageReading;
}

export async function removeImage(
  { parts, manifests, reading }: Tools,
  granted: Grant,
  reference: string,
): Promise<RemovedImage> {
  const { repository } = granted;
  const isDigest = reference.includes(":");
  const digest = await reading.resolve(repository, reference);
  const { db } = parts.database;
  const staysNamed =
    !isDigest && (await askDatabase(() => hasOtherNames(db, repository.id, { digest, tag: reference })));
  const freedBytes = staysNamed ? 0 : await askDatabase(() => countFreed(db, repository, digest));
  const isRemoved = await reading.translate(
    () => manifests.remove(granted, isDigest ? digest : reference),
    "reference",
  );
  if (!isRemoved) throw new Refused("not_found", `the image ${quoteReference(reference)} was just removed`);
  if (isDigest) await removeAttached({ manifests, reading }, granted, digest);
  return { freedBytes };
}

/** Lists do not show them, and the sweep would remove them a day after their push. */
async function removeAttached(
  { manifests, reading }: Pick<Tools, "manifests" | "reading">,
  granted: Grant,
  digest: string,
): Promise<void> {
  for (const tag of attachedTags(digest))
    await reading.translate(() => manifests.remove(granted, tag), "reference");
}

async function hasOtherNames(
  db: RegistryDatabase["db"],
  repositoryId: string,
  { digest, tag }: { digest: string; tag: string },
): Promise<boolean> {
  const other = await db
    .selectFrom("registry_tags")
    .select("name")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .where("name", "!=", tag)
    .executeTakeFirst();
  if (other) return true;
  const index = await db
    .selectFrom("registry_references")
    .select("digest")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .where("kind", "=", "manifest")
    .executeTakeFirst();
  return index !== undefined;
}
