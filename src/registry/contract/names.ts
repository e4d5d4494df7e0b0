/** Names as OCI Distribution has them: repositories, tags and digests. */
import type { DigestAlgorithm } from "#platform/blobs/upload.ts";
import { MAX_DIGEST_LENGTH, MAX_NAME_LENGTH, MAX_TYPE_LENGTH } from "./limits.ts";

const NAME_PART = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const TAG = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;
const HASH_LENGTHS: Readonly<Record<DigestAlgorithm, number>> = { sha256: 64, sha512: 128 };
const DIGEST = /^(sha256|sha512):([0-9a-f]+)$/;
/** By the grammar, for any algorithm. */
const ANY_DIGEST = /^[a-z0-9]+(?:[+._-][a-z0-9]+)*:[a-zA-Z0-9=_-]+$/;
const SAVED_BUILD = /^bld_[0-9a-z]{10}$/;
/** cosign's: https://github.com/sigstore/cosign/blob/main/specs/SIGNATURE_SPEC.md; without an ending the older form of referrers. */
const ATTACHED_TAG = /^sha256-([0-9a-f]{64})(?:\.(?:sig|att|sbom))?$/;
export const ATTACHED_ENDINGS = ["", ".sig", ".att", ".sbom"] as const;
/** With its port. A host without a port has a dot, so that it is never taken for an organization. */
const HOST = /^(?=[^.:]+[.:])[a-z0-9]+(?:[.-][a-z0-9]+)*(?::[0-9]{1,5})?$/;

/** The first part of the names of pulled-through repositories. */
export const MIRROR = "mirror";
/** The prefix of their ids. */
export const MIRROR_ID = "rep";

export type RepositoryName =
  | { kind: "project"; organization: string; project: string }
  /** `organization`: whose credentials are meant, for people who are in several. */
  | { kind: "mirror"; organization?: string; host: string; path: string };

/** @returns null for an invalid repository name */
export function parseRepositoryName(name: string): RepositoryName | null {
  if (name.length > MAX_NAME_LENGTH) return null;
  const [first = "", second = "", ...rest] = name.split("/");
  if (first === MIRROR) return isMirrorHost(second) ? mirrorOf(second, rest) : ofOrganization(second, rest);
  if (rest.length > 0 || !NAME_PART.test(first) || !NAME_PART.test(second)) return null;
  return { kind: "project", organization: first, project: second };
}

/** Whether it can name a registry whose images are pulled through. */
export const isMirrorHost = (text: string): boolean => HOST.test(text);

function mirrorOf(host: string, path: readonly string[]): (RepositoryName & { kind: "mirror" }) | null {
  if (!isMirrorHost(host) || path.length === 0 || !path.every((part) => NAME_PART.test(part))) return null;
  return { kind: "mirror", host, path: path.join("/") };
}

function ofOrganization(
  organization: string,
  [host = "", ...path]: readonly string[],
): RepositoryName | null {
  const mirror = NAME_PART.test(organization) ? mirrorOf(host, path) : null;
  return mirror && { ...mirror, organization };
}

export const isTag = (text: string): boolean => TAG.test(text);

/** Whether the tag is the id of a build, and not a user's own tag. */
export const isSavedBuild = (tag: string): boolean => SAVED_BUILD.test(tag);

/** Tags of what belongs to an image: its signatures, attestations and SBOMs. */
export const attachedTags = (digest: string): string[] =>
  ATTACHED_ENDINGS.map((ending) => `${digest.replace(":", "-")}${ending}`);

/** Whether the tag says that the manifest belongs to another manifest, and is not a user's own tag. */
export function isAttachedTag(tag: string, digest: string): boolean {
  const [, hash] = ATTACHED_TAG.exec(tag) ?? [];
  // Some programs give an image its own digest as a tag, so that it stays.
  return hash !== undefined && digest !== `sha256:${hash}`;
}

/** @returns the algorithm; null for a malformed digest, or an algorithm that is not supported */
export function algorithmOf(digest: string): DigestAlgorithm | null {
  const [, algorithm = "", hash = ""] = DIGEST.exec(digest) ?? [];
  if (algorithm !== "sha256" && algorithm !== "sha512") return null;
  return hash.length === HASH_LENGTHS[algorithm] ? algorithm : null;
}

/** Whether it looks like a digest, of a supported algorithm or not. */
export const looksLikeDigest = (text: string): boolean =>
  text.length <= MAX_DIGEST_LENGTH && ANY_DIGEST.test(text);

/** Whether it can be the type of something that a manifest names: PostgreSQL stores no NUL, and a header has no line break. */
export const isTypeName = (text: string): boolean => text.length <= MAX_TYPE_LENGTH && !/\p{Cc}/u.test(text);

/** Whether the repository's id is that of a pulled-through one, which has a sweep of its own. */
export const isMirrorId = (repositoryId: string): boolean => repositoryId.startsWith(`${MIRROR_ID}_`);
