/** A manifest's references: an index names other manifests, an image its config and its layers. */
import { CliError } from "../errors.ts";
import { isDigest } from "./image-name.ts";
import { isFields } from "./docker-config.ts";
import { MAX_REFERENCES } from "./limits.ts";

export interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
  /** `linux/arm64`; "" for none. */
  platform: string;
  annotations: { [name: string]: string };
}

export interface Manifest {
  mediaType: string;
  digest: string;
  bytes: Uint8Array;
}

export const INDEX_TYPE = "application/vnd.oci.image.index.v1+json";
export const MANIFEST_TYPES = [
  INDEX_TYPE,
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.docker.distribution.manifest.v2+json",
];

/** @throws CliError if it is not an image manifest */
export function readReferences({ bytes, digest }: Manifest): {
  manifests: Descriptor[];
  blobs: Descriptor[];
} {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch {
    value = null;
  }
  if (!isFields(value)) throw new CliError(`${digest} is not an image manifest`);
  const { manifests = [], layers = [], config } = value;
  if (
    !Array.isArray(manifests) ||
    !Array.isArray(layers) ||
    manifests.length + layers.length > MAX_REFERENCES
  )
    throw new CliError(`${digest} is not an image manifest, or has more than ${MAX_REFERENCES} parts`);
  const blobs = [...(config === undefined ? [] : [config]), ...layers];
  return {
    manifests: manifests.map((entry) => readDescriptor(entry, digest)),
    // Foreign layers, which are fetched from elsewhere, are in no registry.
    blobs: blobs.map((entry) => readDescriptor(entry, digest)).filter((entry) => !isElsewhere(entry)),
  };
}

const isElsewhere = ({ mediaType }: Descriptor): boolean =>
  /\.nondistributable\.|^application\/vnd\.docker\.image\.rootfs\.foreign\./.test(mediaType);

function readDescriptor(entry: unknown, of: string): Descriptor {
  const { digest, size, mediaType, platform, annotations } = isFields(entry) ? entry : {};
  if (
    typeof digest !== "string" ||
    !isDigest(digest) ||
    typeof size !== "number" ||
    !Number.isSafeInteger(size) ||
    size < 0
  )
    throw new CliError(`${of} names a part without a digest or a size`);
  return {
    digest,
    size,
    mediaType: typeof mediaType === "string" ? mediaType : "",
    platform: showPlatform(platform),
    annotations: Object.fromEntries(
      Object.entries(isFields(annotations) ? annotations : {}).filter(
        (pair): pair is [string, string] => typeof pair[1] === "string",
      ),
    ),
  };
}

/** Docker's name for the platform: the usual variant of arm64 is left out. */
function showPlatform(platform: unknown): string {
  if (!isFields(platform)) return "";
  const { os, architecture, variant } = platform;
  if (typeof os !== "string" || typeof architecture !== "string") return "";
  const isPlain =
    typeof variant !== "string" || variant === "" || (architecture === "arm64" && variant === "v8");
  return isPlain ? `${os}/${architecture}` : `${os}/${architecture}/${variant}`;
}
