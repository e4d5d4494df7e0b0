/** What lists show of an image in addition to its manifest: how large it is, and what it runs on. */
import { askDatabase } from "#accounts/index.ts";
import { readBlob } from "#platform/blobs/read-blob.ts";
import type { FoundReferences } from "./find-references.ts";
import { commitOf, parseFields, readImage } from "../images/config.ts";
import {
  MAX_CONFIG_BYTES,
  MAX_COUNTED_REFERENCES,
  MAX_NESTED_INDEXES,
  MAX_REFERENCES,
} from "../contract/limits.ts";
import type { RegistryParts } from "../contract/parts.ts";
import { platformOf, type ReadManifest } from "./read.ts";
import type { Grant } from "../contract/registry.ts";
import type { RegistryTransaction } from "../contract/schema.ts";

export interface DescribedManifest {
  imageBytes: number;
  /** `linux/amd64 linux/arm64` */
  platforms: string;
  /** Null: none. */
  commitSha: string | null;
}

export interface ReadConfig {
  platform: string;
  commitSha: string;
}

const NOTHING: ReadConfig = { platform: "", commitSha: "" };

const IMAGE_CONFIG = /^application\/vnd\.(?:oci\.image\.config\.v1|docker\.container\.image\.v1)\+json$/;

/** An image's platform and commit from its config; "" where it says nothing. */
export async function readConfig(
  { blobs, database }: Pick<RegistryParts, "blobs" | "database">,
  { repository }: Grant,
  { kind, references: [config] }: ReadManifest,
): Promise<ReadConfig> {
  if (kind !== "image" || !config || !IMAGE_CONFIG.test(config.mediaType)) return NOTHING;
  return askDatabase(async () => {
    const row = await database.db
      .selectFrom("registry_blobs")
      .select("digest")
      .where("repository_id", "=", repository.id)
      .where("digest", "=", config.digest)
      .executeTakeFirst();
    const blob = row && (await blobs.find(row.digest));
    const bytes = blob && (await readBlob(blobs, blob, { maxBytes: MAX_CONFIG_BYTES }));
    if (!bytes) return NOTHING;
    const fields = parseFields(bytes);
    return { platform: platformOf(fields), commitSha: readImage(fields).commitSha };
  });
}

export async function describeManifest(
  transaction: RegistryTransaction,
  { repository }: Grant,
  { read, found, config }: { read: ReadManifest; found: FoundReferences; config: ReadConfig },
): Promise<DescribedManifest> {
  const { kind, references } = read;
  const children = references.filter((reference) => reference.kind === "manifest");
  if (kind !== "index") {
    const own = new Set(references.map(({ digest }) => digest));
    const sizes = [...own].map((digest) => found.blobs.get(digest) ?? 0);
    return {
      imageBytes: sizes.reduce((sum, size) => sum + size, 0),
      platforms: config.platform,
      commitSha: commitOf(read.annotations) || config.commitSha || null,
    };
  }
  const platforms = children.flatMap((child) =>
    child.platform === ""
      ? (found.manifests.get(child.digest)?.platforms ?? "").split(" ")
      : [child.platform],
  );
  const digests = children.map(({ digest }) => digest);
  return {
    imageBytes: await sumImages(transaction, repository.id, digests),
    platforms: [...new Set(platforms)].filter((each) => each !== "").join(" "),
    commitSha: commitOf(read.annotations) || (await findCommit(transaction, repository.id, digests)),
  };
}

/** The commit of the first that has one: all were made together. */
async function findCommit(
  transaction: RegistryTransaction,
  repositoryId: string,
  digests: readonly string[],
): Promise<string | null> {
  if (digests.length === 0) return null;
  const row = await transaction
    .selectFrom("registry_manifests")
    .select("commit_sha")
    .where("repository_id", "=", repositoryId)
    .where("digest", "in", digests)
    .where("commit_sha", "is not", null)
    .orderBy("digest")
    .executeTakeFirst();
  return row?.commit_sha ?? null;
}

/** Bytes of the manifests' config and layers, each blob once. */
async function sumImages(
  transaction: RegistryTransaction,
  repositoryId: string,
  digests: readonly string[],
): Promise<number> {
  const all = new Set(digests);
  let level = [...all];
  for (let depth = 0; depth < MAX_NESTED_INDEXES && level.length > 0; depth += 1) {
    const rows = await transaction
      .selectFrom("registry_references")
      .select("digest")
      .where("repository_id", "=", repositoryId)
      .where("manifest_digest", "in", level)
      .where("kind", "=", "manifest")
      // The parameters of a statement are limited.
      .limit(MAX_REFERENCES)
      .execute();
    level = rows.map(({ digest }) => digest).filter((digest) => !all.has(digest));
    for (const digest of level) all.add(digest);
  }
  if (all.size === 0) return 0;
  const row = await transaction
    .selectFrom((query) =>
      query
        .selectFrom((inner) =>
          inner
            .selectFrom("registry_references")
            .select(["digest", "size"])
            .where("repository_id", "=", repositoryId)
            .where("manifest_digest", "in", [...all])
            .where("kind", "!=", "manifest")
            .limit(MAX_COUNTED_REFERENCES)
            .as("named"),
        )
        .select(["digest", "size"])
        .distinct()
        .as("blobs_once"),
    )
    .select((query) => query.fn.sum<number | null>("size").as("bytes"))
    .executeTakeFirst();
  return row?.bytes ?? 0;
}
