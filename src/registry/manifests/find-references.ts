/** Looks up a manifest's references in its repository. */
import { ROWS_AT_ONCE } from "../contract/limits.ts";
import type { ManifestReference, ReadManifest } from "./read.ts";
import type { Grant } from "../contract/registry.ts";
import { RegistryError } from "../contract/registry-error.ts";
import type { RegistryTransaction } from "../contract/schema.ts";

export interface FoundReferences {
  /** Sizes of blobs by their digests. */
  blobs: ReadonlyMap<string, number>;
  manifests: ReadonlyMap<string, { size: number; platforms: string }>;
}

/** @throws RegistryError MANIFEST_BLOB_UNKNOWN, MANIFEST_INVALID */
export async function findReferences(
  transaction: RegistryTransaction,
  { repository }: Grant,
  { references }: ReadManifest,
): Promise<FoundReferences> {
  const blobs = new Map<string, number>();
  const manifests = new Map<string, { size: number; platforms: string }>();
  for (const digests of digestsOf(references, (kind) => kind !== "manifest")) {
    const rows = await transaction
      .selectFrom("registry_blobs")
      .select(["digest", "size"])
      .where("repository_id", "=", repository.id)
      .where("digest", "in", digests)
      .execute();
    for (const { digest, size } of rows) blobs.set(digest, size);
  }
  for (const digests of digestsOf(references, (kind) => kind === "manifest")) {
    const rows = await transaction
      .selectFrom("registry_manifests")
      .select(["digest", "size", "platforms"])
      .where("repository_id", "=", repository.id)
      .where("digest", "in", digests)
      .execute();
    for (const { digest, ...row } of rows) manifests.set(digest, row);
  }
  const required = references
    .filter(({ mayBeMissing }) => !mayBeMissing)
    .map((reference) => {
      const { kind, digest } = reference;
      return { ...reference, found: kind === "manifest" ? manifests.get(digest)?.size : blobs.get(digest) };
    });
  // Pulled-through content arrives when a client asks for it.
  if (repository.projectId !== null) requireAll(required, repository.name);
  return { blobs, manifests };
}

function* digestsOf(
  references: readonly ManifestReference[],
  isWanted: (kind: ManifestReference["kind"]) => boolean,
): Generator<string[]> {
  const wanted = references.filter(({ kind }) => isWanted(kind)).map(({ digest }) => digest);
  const digests = [...new Set(wanted)];
  for (let start = 0; start < digests.length; start += ROWS_AT_ONCE)
    yield digests.slice(start, start + ROWS_AT_ONCE);
}

/** Missing digests that one message names, at most. */
const MAX_NAMED = 20;

function requireAll(
  references: readonly (ManifestReference & { found: number | undefined })[],
  name: string,
): void {
  const missing = references.filter(({ found }) => found === undefined);
  const [first] = missing;
  if (first) {
    const what = first.kind === "manifest" ? "manifest" : "blob";
    const digests = [...new Set(missing.map(({ digest }) => digest))].slice(0, MAX_NAMED);
    const others = digests.length > 1 ? `; also missing: ${digests.slice(1).join(", ")}` : "";
    throw new RegistryError(
      "MANIFEST_BLOB_UNKNOWN",
      `${first.field} names the ${what} ${first.digest}, which is not in ${name}; push it there first${others}`,
      { detail: { digest: first.digest, ...(digests.length > 1 && { missing: digests }) } },
    );
  }
  for (const { field, digest, size, kind, found } of references)
    if (found !== size)
      throw new RegistryError(
        "MANIFEST_INVALID",
        `${field}.size is ${size}, but the ${kind === "manifest" ? "manifest" : "blob"} ${digest} has ${found} bytes`,
      );
}
