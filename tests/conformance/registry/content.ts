/** Content that the rows push: blobs, images, indexes and artifacts. */
import {
  type Algorithm,
  type Answer,
  digestOf,
  newBytes,
  type Repository,
  withParameter,
} from "./repository.ts";

export const TYPES = {
  image: "application/vnd.oci.image.manifest.v1+json",
  index: "application/vnd.oci.image.index.v1+json",
  config: "application/vnd.oci.image.config.v1+json",
  layer: "application/vnd.oci.image.layer.v1.tar+gzip",
  empty: "application/vnd.oci.empty.v1+json",
  dockerImage: "application/vnd.docker.distribution.manifest.v2+json",
  dockerIndex: "application/vnd.docker.distribution.manifest.list.v2+json",
  octets: "application/octet-stream",
} as const;

export interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
  artifactType?: string;
  annotations?: Record<string, string>;
  [more: string]: unknown;
}

export interface Blob {
  bytes: Buffer;
  digest: string;
}

export interface Manifest extends Blob {
  type: string;
  descriptor: Descriptor;
}

export const octets = { "content-type": TYPES.octets };

/** @returns the address of a new upload */
export const beginUpload = async ({ ask }: Repository): Promise<string> =>
  (await ask("POST", "blobs/uploads/", { status: 202 })).location;

/** By POST and PUT. */
export async function pushBlob(
  repository: Repository,
  content: Uint8Array | string = newBytes(),
  algorithm: Algorithm = "sha256",
): Promise<Blob> {
  const bytes = Buffer.from(content);
  const digest = digestOf(bytes, algorithm);
  const at = withParameter(await beginUpload(repository), "digest", digest);
  await repository.ask("PUT", at, { status: 201 }, { headers: octets, body: bytes });
  return { bytes, digest };
}

export const describeBlob = ({ bytes, digest }: Blob, mediaType: string): Descriptor => ({
  mediaType,
  digest,
  size: bytes.length,
});

/** The bytes of a manifest, and their digest. @param fields in addition to the schema's version and the type */
export function makeManifest(
  fields: Readonly<Record<string, unknown>>,
  { type = TYPES.image, algorithm = "sha256" }: { type?: string; algorithm?: Algorithm } = {},
): Manifest {
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: type, ...fields }));
  const digest = digestOf(bytes, algorithm);
  return { bytes, digest, type, descriptor: { mediaType: type, digest, size: bytes.length } };
}

/** @param reference by default its digest */
export function putManifest(
  { ask }: Repository,
  { bytes, digest, type }: Manifest,
  {
    reference = digest,
    headers = {},
  }: { reference?: string; headers?: Record<string, string | RegExp | null> } = {},
): Promise<Answer> {
  const question = { headers: { "content-type": type }, body: bytes };
  return ask("PUT", `manifests/${reference}`, { status: 201, headers }, question);
}

interface ImageOptions {
  layers?: number;
  fields?: Readonly<Record<string, unknown>>;
  algorithm?: Algorithm;
  type?: string;
}

/** Config and layers are pushed, the manifest is not. */
export async function makeImage(repository: Repository, options: ImageOptions = {}): Promise<Manifest> {
  const { layers: count = 1, fields = {}, algorithm = "sha256", type = TYPES.image } = options;
  const config = JSON.stringify({ architecture: "amd64", os: "linux", made: newBytes(8).toString("hex") });
  const layers: Descriptor[] = [];
  for (let number = 0; number < count; number += 1)
    layers.push(describeBlob(await pushBlob(repository, newBytes(), algorithm), TYPES.layer));
  return makeManifest(
    { config: describeBlob(await pushBlob(repository, config, algorithm), TYPES.config), layers, ...fields },
    { type, algorithm },
  );
}

/** @param tag without one, it is pushed by digest */
export async function pushImage(
  repository: Repository,
  { tag, ...options }: ImageOptions & { tag?: string } = {},
): Promise<Manifest> {
  const image = await makeImage(repository, options);
  await putManifest(repository, image, { reference: tag ?? image.digest });
  return image;
}

/** An artifact that refers to another manifest. @param artifactType by default that of its config */
export async function pushArtifact(
  repository: Repository,
  {
    subject,
    ...fields
  }: { subject: Descriptor; artifactType?: string; annotations?: Record<string, string> },
): Promise<Manifest> {
  const empty = describeBlob(await pushBlob(repository, "{}"), TYPES.empty);
  const layer = describeBlob(await pushBlob(repository), TYPES.octets);
  const artifact = makeManifest({ config: empty, layers: [layer], subject, ...fields });
  await putManifest(repository, artifact, { headers: { "oci-subject": subject.digest } });
  return artifact;
}
