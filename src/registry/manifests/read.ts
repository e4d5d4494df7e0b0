/**
 * Reads manifests: images and indexes of OCI and of Docker. Other types pass, and anything in them that looks like a descriptor
 * is kept, so that nothing that they name is collected.
 *
 *   https://github.com/opencontainers/image-spec/blob/v1.1.1/manifest.md
 *   https://github.com/opencontainers/image-spec/blob/v1.1.1/image-index.md
 */
import { MAX_REFERENCES, MAX_TYPE_LENGTH } from "../contract/limits.ts";
import { algorithmOf, isTypeName, looksLikeDigest } from "../contract/names.ts";
import { readJson } from "./read-json.ts";
import { RegistryError } from "../contract/registry-error.ts";

export interface ManifestReference {
  digest: string;
  kind: "config" | "layer" | "manifest";
  mediaType: string;
  size: number;
  /** `linux/arm64/v8`; "": none, or one that nothing runs on. */
  platform: string;
  /** May be elsewhere: a layer that must not be distributed, or a reference in a manifest of an unknown type. */
  mayBeMissing: boolean;
  /** `layers[2]`, for messages. */
  field: string;
}

export interface ReadManifest {
  kind: "image" | "index" | "other";
  mediaType: string;
  artifactType: string;
  subject: string;
  annotations: Readonly<Record<string, string>>;
  references: readonly ManifestReference[];
}

const KINDS: Readonly<Record<string, "image" | "index">> = {
  "application/vnd.oci.image.manifest.v1+json": "image",
  "application/vnd.oci.image.index.v1+json": "index",
  "application/vnd.docker.distribution.manifest.v2+json": "image",
  "application/vnd.docker.distribution.manifest.list.v2+json": "index",
};
const SCHEMA_1 = /^application\/vnd\.docker\.distribution\.manifest\.v1\+/;
const NOT_DISTRIBUTED = /\.nondistributable\.|^application\/vnd\.docker\.image\.rootfs\.foreign\./;
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;
const PLATFORM_PART = /^[A-Za-z0-9_.-]{1,64}$/;

type Fields = Readonly<Record<string, unknown>>;

const invalid = (message: string) => new RegistryError("MANIFEST_INVALID", message);

/**
 * @param type `Content-Type` of the request; its parameters are ignored, and where it is "" the manifest's own type counts
 * @throws RegistryError MANIFEST_INVALID
 */
export function readManifest(bytes: Uint8Array, type: string): ReadManifest {
  const named = type.split(";", 1)[0]!.trim().toLowerCase();
  const isKnown = Object.hasOwn(KINDS, named);
  const fields = readFields(bytes, isKnown || named === "");
  const mediaType = named || String(fields?.["mediaType"] ?? "");
  if (mediaType.length > MAX_TYPE_LENGTH || !MEDIA_TYPE.test(mediaType))
    throw invalid("Content-Type must be the media type of the manifest");
  if (SCHEMA_1.test(mediaType) || fields?.["schemaVersion"] === 1)
    throw invalid(
      "Docker's manifest schema 1 is not supported; push with a client that writes schema 2 or OCI",
    );
  const kind = KINDS[mediaType] ?? "other";
  if (kind === "other" || !fields) return readOther(fields, mediaType);
  refuseOtherSpellings(fields);
  const own = fields["mediaType"];
  if (own !== undefined && own !== mediaType)
    throw invalid(`mediaType is ${show(own)}, but Content-Type is ${mediaType}; both must be the same`);
  if (fields["schemaVersion"] !== 2)
    throw invalid(`schemaVersion is ${show(fields["schemaVersion"])}; it must be 2`);
  const references = kind === "image" ? readImage(fields) : readIndex(fields);
  return {
    kind,
    mediaType,
    artifactType:
      readType(fields, "artifactType", "") || (kind === "image" ? (references[0]?.mediaType ?? "") : ""),
    subject: readSubject(fields),
    annotations: readAnnotations(fields),
    references,
  };
}

function readFields(bytes: Uint8Array, isStrict: boolean): Fields | null {
  try {
    const value = readJson(bytes);
    if (isFields(value)) return value;
    if (isStrict) throw new SyntaxError("it is not an object");
  } catch (error) {
    if (isStrict)
      throw invalid(
        `the manifest is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
      );
  }
  return null;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const show = (value: unknown) => JSON.stringify(value)?.slice(0, 100) ?? "missing";

const FIELDS = ["schemaVersion", "mediaType", "artifactType", "config", "layers", "manifests", "subject"];

const SPELLINGS: ReadonlyMap<string, string> = new Map(FIELDS.map((name) => [name.toLowerCase(), name]));

/** Go programs read `Layers` as `layers`. */
function refuseOtherSpellings(fields: Fields): void {
  for (const name of Object.keys(fields)) {
    const known = SPELLINGS.get(name.toLowerCase());
    if (known && known !== name) throw invalid(`the field ${show(name)} must be spelled ${known}`);
  }
}

function readImage(fields: Fields): ManifestReference[] {
  // A manifest that is both was once used to show scanners a different image from the one that ran (CVE-2021-41190).
  for (const name of ["manifests", "fsLayers"])
    if (fields[name] !== undefined) throw invalid(`an image cannot have the field ${name}`);
  const config = readDescriptor(fields["config"], "config", "config");
  return [config, ...readList(fields, "layers", "layer")];
}

function readIndex(fields: Fields): ManifestReference[] {
  for (const name of ["config", "layers", "fsLayers"])
    if (fields[name] !== undefined) throw invalid(`an index cannot have the field ${name}`);
  return readList(fields, "manifests", "manifest");
}

function readList(fields: Fields, name: string, kind: "layer" | "manifest"): ManifestReference[] {
  // Go writes an empty list as null.
  const list = fields[name] ?? [];
  if (!Array.isArray(list)) throw invalid(`${name} is ${show(list)}; it must be a list`);
  if (list.length >= MAX_REFERENCES)
    throw invalid(`${name} has ${list.length} entries; fewer than ${MAX_REFERENCES} are allowed`);
  return list.map((entry, at) => readDescriptor(entry, `${name}[${at}]`, kind));
}

function readDescriptor(value: unknown, field: string, kind: ManifestReference["kind"]): ManifestReference {
  if (!isFields(value))
    throw invalid(`${field} is ${show(value)}; it must be an object with mediaType, digest and size`);
  const mediaType = readType(value, "mediaType", `${field}.`);
  const { digest, size, urls } = value;
  if (
    typeof digest !== "string" ||
    !looksLikeDigest(digest) ||
    (/^sha(?:256|512):/.test(digest) && !algorithmOf(digest))
  )
    throw invalid(
      `${field}.digest is ${show(digest)}; it must be sha256: or sha512: and the hash in hexadecimal`,
    );
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0)
    throw invalid(`${field}.size is ${show(size)}; it must be a number of bytes`);
  const isElsewhere = NOT_DISTRIBUTED.test(mediaType) || (Array.isArray(urls) && urls.length > 0);
  return {
    digest,
    kind,
    mediaType,
    size,
    platform: kind === "manifest" ? platformOf(value["platform"]) : "",
    mayBeMissing: kind === "layer" && isElsewhere,
    field,
  };
}

function readType(fields: Fields, name: string, within: string): string {
  const value = fields[name] ?? "";
  if (typeof value !== "string" || !isTypeName(value))
    throw invalid(
      `${within}${name} is ${show(value)}; it must be a media type of at most ${MAX_TYPE_LENGTH} characters`,
    );
  return value;
}

function readSubject(fields: Fields): string {
  const { subject } = fields;
  return subject === undefined || subject === null
    ? ""
    : readDescriptor(subject, "subject", "manifest").digest;
}

function readAnnotations({ annotations }: Fields): Record<string, string> {
  if (annotations === undefined || annotations === null) return {};
  if (!isFields(annotations)) throw invalid(`annotations is ${show(annotations)}; it must be an object`);
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(annotations)) {
    if (typeof value !== "string")
      throw invalid(`annotations[${show(name)}] is ${show(value)}; it must be a string`);
    read[name] = value;
  }
  return read;
}

/** @param value with `os`, `architecture` and `variant`: of a descriptor, or the config of an image */
export function platformOf(value: unknown): string {
  if (!isFields(value)) return "";
  const { os, architecture, variant = "" } = value;
  // Every arm64 machine has v8.
  const isPlain = variant === "" || (architecture === "arm64" && variant === "v8");
  const parts = isPlain ? [os, architecture] : [os, architecture, variant];
  // Builders give provenance and SBOMs this platform, so that no one pulls them by accident.
  if (os === "unknown" || architecture === "unknown") return "";
  return parts.every((part) => typeof part === "string" && PLATFORM_PART.test(part)) ? parts.join("/") : "";
}

/** A manifest of an unknown type has no required fields. */
function readOther(fields: Fields | null, mediaType: string): ReadManifest {
  const read: ReadManifest = {
    kind: "other",
    mediaType,
    artifactType: "",
    subject: "",
    annotations: {},
    references: [],
  };
  if (!fields) return read;
  const named = [
    ...asReferences([fields["config"]], "config"),
    ...["layers", "blobs"].flatMap((name) => asReferences(fields[name], "layer")),
    ...asReferences(fields["manifests"], "manifest"),
  ];
  const [subject] = asReferences([fields["subject"]], "manifest");
  const { artifactType } = fields;
  return {
    ...read,
    artifactType: typeof artifactType === "string" && isTypeName(artifactType) ? artifactType : "",
    subject: subject?.digest ?? "",
    references: named.slice(0, MAX_REFERENCES),
  };
}

function asReferences(list: unknown, kind: ManifestReference["kind"]): ManifestReference[] {
  if (!Array.isArray(list)) return [];
  return list.slice(0, MAX_REFERENCES).flatMap((entry) => {
    try {
      return [{ ...readDescriptor(entry, "", kind), mayBeMissing: true }];
    } catch {
      return [];
    }
  });
}
