/**
 * Referrers of an image, in all existing forms:
 *
 *   `subject` of OCI 1.1            manifests whose subject is the image or one of its platforms
 *   cosign's older tags             sha256-<digits>.sig, .att, .sbom
 *   BuildKit's attestations         manifests of the index without a platform, whose layers are in-toto statements
 */
import { sql } from "kysely";
import { readBlob } from "#platform/blobs/read-blob.ts";
import type { ImageReferrer, ReferrerName } from "../contract/images.ts";
import { fieldsOf, parseFields } from "./config.ts";
import { MAX_MANIFEST_BYTES, MAX_SHOWN_REFERRERS } from "../contract/limits.ts";
import { attachedTags } from "../contract/names.ts";
import type { RegistryParts } from "../contract/parts.ts";

const PREDICATE_NAMES = [
  "in-toto.io/predicate-type",
  "dev.sigstore.bundle.predicateType",
  "predicateType",
] as const;
const ENDINGS: Readonly<Record<string, ReferrerName>> = {
  ".sig": "signature",
  ".att": "provenance",
  ".sbom": "SBOM",
};
export const IN_TOTO = "application/vnd.in-toto+json";

/** @param annotations of the manifest or the layer; what they say about its content takes precedence over the type */
function nameReferrer(artifactType: string, annotations: unknown = {}): ReferrerName {
  const known = fieldsOf(annotations);
  const predicate = PREDICATE_NAMES.map((name) => known[name]).find((value) => typeof value === "string");
  const type = artifactType.toLowerCase();
  if (typeof predicate === "string") return namePredicate(predicate.toLowerCase());
  if (/spdx|cyclonedx|\bsbom\b/.test(type)) return "SBOM";
  if (/in-toto|slsa|provenance/.test(type)) return "provenance";
  if (/^application\/vnd\.dev\.(?:cosign|sigstore)\b|^application\/vnd\.cncf\.notary\.signature/.test(type))
    return "signature";
  return "";
}

function namePredicate(predicate: string): ReferrerName {
  if (/spdx|cyclonedx/.test(predicate)) return "SBOM";
  return /slsa|provenance/.test(predicate) ? "provenance" : "";
}

interface ReferrerRow {
  digest: string;
  artifact_type: string;
  annotations: string;
  bytes: number;
  tag: string | null;
}

/**
 * @param of the image first, then its platforms
 * @param attestations manifests of its index without a platform
 */
export async function readReferrers(
  parts: RegistryParts,
  repositoryId: string,
  { of, attestations }: { of: readonly string[]; attestations: readonly string[] },
): Promise<ImageReferrer[]> {
  const { db } = parts.database;
  const { rows } = await sql<ReferrerRow>`
    select digest, artifact_type, annotations, size + image_bytes as bytes, null as tag from registry_manifests
    where repository_id = ${repositoryId} and subject in (${sql.join(of)})
    union all
    select m.digest, m.artifact_type, m.annotations, m.size + m.image_bytes, t.name
    from registry_tags t join registry_manifests m on m.repository_id = t.repository_id and m.digest = t.digest
    where t.repository_id = ${repositoryId} and t.name in (${sql.join(of.flatMap(attachedTags))})
      and m.subject not in (${sql.join(of)}) and m.media_type not like '%index%'
    order by digest limit ${MAX_SHOWN_REFERRERS}`.execute(db);
  const found = rows.map(({ digest, artifact_type: artifactType, annotations, bytes, tag }) => ({
    digest,
    artifactType,
    name:
      ENDINGS[tag?.slice(tag.indexOf(".")) ?? ""] ??
      nameReferrer(artifactType, parseFields(annotations || "{}")),
    sizeBytes: Number(bytes),
  }));
  const attested: ImageReferrer[] = [];
  for (const digest of attestations.slice(0, MAX_SHOWN_REFERRERS))
    attested.push(...(await readStatements(parts, digest)));
  return [...attested, ...found].slice(0, MAX_SHOWN_REFERRERS);
}

/** Each layer of an attestation is a statement. */
async function readStatements({ blobs }: RegistryParts, digest: string): Promise<ImageReferrer[]> {
  const blob = await blobs.find(digest);
  const bytes = blob && (await readBlob(blobs, blob, { maxBytes: MAX_MANIFEST_BYTES }));
  const { layers } = parseFields(bytes ?? "{}");
  return (Array.isArray(layers) ? layers : []).map(fieldsOf).map((layer) => {
    const predicate = fieldsOf(layer["annotations"])[PREDICATE_NAMES[0]];
    return {
      digest,
      artifactType: (typeof predicate === "string" ? predicate : IN_TOTO).slice(0, 255),
      name: nameReferrer(IN_TOTO, layer["annotations"]),
      sizeBytes: Number.isSafeInteger(layer["size"]) ? Number(layer["size"]) : 0,
    };
  });
}
