/** Images in words. Pure. */
import type { Image, ImageReferrer, ImageRepository } from "#api/gen/json-types.ts";
import { cutText, formatBytes, plural } from "../../format.ts";

const SHORT_DIGEST = 8;

/** `9a1f03c7` */
export const shortDigest = (digest: string) => digest.slice(digest.indexOf(":") + 1).slice(0, SHORT_DIGEST);

/** `sha256:9a1f03c7d2…b81e` */
export const cutDigest = (digest: string) =>
  digest.length > 24 ? `${digest.slice(0, 17)}…${digest.slice(-4)}` : digest;

export const isDigest = (reference: string) => /^sha(?:256|512):/.test(reference);

/** The page's name for an image: its first tag, or its digest. */
export const referenceOf = ({ tags, digest }: Pick<Image, "tags" | "digest">): string => tags[0] ?? digest;

export const isNamed = ({ tags, digest }: Pick<Image, "tags" | "digest">, reference: string): boolean =>
  digest === reference || tags.includes(reference);

/** Docker's name for it: `host/acme/web:main`, `host/acme/web@sha256:…`. */
export const addressOfImage = (repository: string, reference: string) =>
  `${repository}${isDigest(reference) ? "@" : ":"}${reference}`;

/** `amd64`, `arm64/v8`, `windows/amd64`: nearly every image is for Linux. */
export const namePlatform = (platform: string) => platform.replace(/^linux\//, "") || "unknown";

/** "24 tags and 61 saved builds. 14.2 GB stored for 22.7 GB of images: equal layers are kept once." */
export function describeRepository(repository: ImageRepository): string {
  const builds = Number(repository.saved_builds);
  // Ids of builds are also tags.
  const tags = Math.max(0, Number(repository.tags) - builds);
  const [stored, images] = [Number(repository.stored_bytes), Number(repository.image_bytes)];
  const counts = [
    ...(tags > 0 || builds === 0 ? [plural(tags, "tag")] : []),
    ...(builds > 0 ? [plural(builds, "saved build")] : []),
  ].join(" and ");
  if (stored <= 0) return `${counts}.`;
  const saved = images > stored ? ` for ${formatBytes(images)} of images: equal layers are kept once` : "";
  return `${counts}. ${formatBytes(stored)} stored${saved}.`;
}

/** "SBOM, provenance, 1 signature"; attachments without a name are named by their type. */
export function describeAttached(
  referrers: readonly Pick<ImageReferrer, "name" | "artifact_type">[],
): string {
  const counts = new Map<string, number>();
  for (const { name, artifact_type } of referrers) {
    const word = name || cutText(artifact_type, 60) || "another artifact";
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const inOrder = [...counts].toSorted(([one], [other]) => rankOf(one) - rankOf(other));
  const words = inOrder.map(([word, count]) => {
    if (word === "signature") return plural(count, word);
    return count === 1 ? word : `${count} × ${word}`;
  });
  return words.length > 0 ? words.join(", ") : "nothing";
}

const ORDER = ["SBOM", "provenance", "signature"];
const rankOf = (word: string) => (ORDER.includes(word) ? ORDER.indexOf(word) : ORDER.length);

/** The shell's and the builder's additions to an instruction. */
const NOISE = [/^\/bin\/sh -c #\(nop\)\s+/, /\s*# buildkit$/];

/** A line of an image's history as in its Dockerfile: `COPY node_modules`. */
export function describeStep(createdBy: string): string {
  const line = NOISE.reduce((text, noise) => text.replace(noise, ""), createdBy.slice(0, 2_000).trim());
  if (line.startsWith("/bin/sh -c ")) return `RUN ${line.slice("/bin/sh -c ".length)}`;
  return line
    .replace(/^RUN (?:\/bin\/sh -c )?/, "RUN ")
    .replace(/^(COPY|ADD) (?:file|dir|multi):\S+ in /, "$1 ");
}

/** Why a text is not a tag, by OCI Distribution's rules. Null: it is one. */
export function explainTag(tag: string): string | undefined {
  if (tag === "") return "An image needs a name.";
  if (tag.length > 128) return "A tag has at most 128 characters.";
  if (/^[.-]/.test(tag)) return "A tag must begin with a letter, a digit or an underscore.";
  if (!/^[\w.-]+$/.test(tag))
    return "A tag can contain only letters, digits, underscores, periods and hyphens.";
  return undefined;
}
