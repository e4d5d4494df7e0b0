/** One image with its platforms, their layers and what refers to it. */
import { sql } from "kysely";
import { Refused } from "#accounts/index.ts";
import { countFreed } from "./freed.ts";
import { findOwnLayers } from "./own.ts";
import { commitOf, parseFields, readImageConfig } from "./config.ts";
import type { Image, ImageDetails, ImagePlatform } from "../contract/images.ts";
import { findImage } from "./list.ts";
import { IN_TOTO, readReferrers } from "./referrers.ts";
import { MAX_SHOWN_LAYERS, MAX_SHOWN_PLATFORMS } from "../contract/limits.ts";
import type { RegistryParts } from "../contract/parts.ts";
import type { Repository } from "../contract/registry.ts";

type Db = RegistryParts["database"]["db"];

interface PartRow {
  digest: string;
  media_type: string;
  kind: "config" | "layer" | "manifest";
  size: number;
  platform: string;
}

/** A manifest of the image: each manifest of an index, otherwise the image itself. */
interface Part {
  digest: string;
  platform: string;
  sizeBytes: number;
  annotations: string;
  rows: readonly PartRow[];
}

/** @param digest of an existing manifest. @throws Refused when it was removed meanwhile */
export async function readDetails(
  parts: RegistryParts,
  repository: Repository,
  digest: string,
): Promise<ImageDetails> {
  const { db } = parts.database;
  const { id } = repository;
  const image = await findImage(parts, id, digest);
  if (!image) throw new Refused("not_found", `the image ${digest} was just removed`);
  const [all, own, freedBytes] = await Promise.all([
    readParts(db, id, image),
    findOwnLayers(db, id, [digest]),
    countFreed(db, repository, digest),
  ]);
  const attestations = all.filter(isAttestation);
  const shown = all.filter((part) => !isAttestation(part));
  const ownLayers = own.get(digest) ?? new Map<string, number>();
  const platforms: ImagePlatform[] = [];
  let commitSha = await readCommit(db, id, digest);
  for (const part of shown) {
    const described = await describePart(parts, id, part, ownLayers);
    platforms.push(described.platform);
    commitSha ||= commitOf(parseFields(part.annotations || "{}")) || described.commitSha;
  }
  const referrers = await readReferrers(parts, id, {
    of: [digest, ...shown.map((part) => part.digest).filter((each) => each !== digest)],
    attestations: attestations.map((part) => part.digest),
  });
  return { image, platforms, referrers, commitSha, freedBytes, repository: repository.name };
}

async function describePart(
  parts: RegistryParts,
  repositoryId: string,
  { digest, platform, sizeBytes, rows }: Part,
  own: ReadonlyMap<string, number>,
): Promise<{ platform: ImagePlatform; commitSha: string }> {
  const config = rows.find(({ kind }) => kind === "config");
  const layers = rows.filter(({ kind }) => kind === "layer");
  const { steps, commitSha } = config
    ? await readImageConfig(parts, repositoryId, config.digest)
    : { steps: [], commitSha: "" };
  // An incomplete history says nothing about any layer.
  const hasSteps = steps.length === layers.length;
  return {
    commitSha,
    platform: {
      platform,
      digest,
      sizeBytes,
      layers: layers.map((layer, at) => ({
        digest: layer.digest,
        sizeBytes: layer.size,
        createdBy: hasSteps ? (steps[at] ?? "") : "",
        isShared: !own.has(layer.digest),
      })),
    },
  };
}

const isAttestation = ({ platform, rows }: Part): boolean => {
  const layers = rows.filter(({ kind }) => kind === "layer");
  return platform === "" && layers.length > 0 && layers.every(({ media_type }) => media_type === IN_TOTO);
};

async function readCommit(db: Db, repositoryId: string, digest: string): Promise<string> {
  const row = await db
    .selectFrom("registry_manifests")
    .select(["annotations", "commit_sha"])
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .executeTakeFirst();
  return row?.commit_sha || commitOf(parseFields(row?.annotations || "{}"));
}

async function readParts(db: Db, repositoryId: string, image: Image): Promise<Part[]> {
  const own = await readReferences(db, repositoryId, image.digest);
  const children = own.filter(({ kind }) => kind === "manifest").slice(0, MAX_SHOWN_PLATFORMS);
  if (children.length === 0) {
    const { digest, platforms, sizeBytes } = image;
    return [{ digest, platform: platforms.join(" "), sizeBytes, annotations: "", rows: own }];
  }
  const { rows: manifests } = await sql<{
    digest: string;
    platforms: string;
    bytes: number;
    annotations: string;
  }>`
    select digest, platforms, image_bytes as bytes, annotations from registry_manifests
    where repository_id = ${repositoryId} and digest in (${sql.join(children.map(({ digest }) => digest))})`.execute(
    db,
  );
  const known = new Map(manifests.map((row) => [row.digest, row]));
  const parts: Part[] = [];
  for (const { digest, platform } of children) {
    const manifest = known.get(digest);
    parts.push({
      digest,
      platform: platform || (manifest?.platforms ?? ""),
      sizeBytes: Number(manifest?.bytes ?? 0),
      annotations: manifest?.annotations ?? "",
      rows: await readReferences(db, repositoryId, digest),
    });
  }
  return parts;
}

async function readReferences(db: Db, repositoryId: string, digest: string): Promise<PartRow[]> {
  return db
    .selectFrom("registry_references")
    .select(["digest", "media_type", "kind", "size", "platform"])
    .where("repository_id", "=", repositoryId)
    .where("manifest_digest", "=", digest)
    .orderBy("position")
    .limit(MAX_SHOWN_LAYERS + 1)
    .execute();
}
