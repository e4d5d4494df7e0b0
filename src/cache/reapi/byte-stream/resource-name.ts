/**
 * Names of blobs in ByteStream.
 *
 *   bazel/blobs/<hash>/<size>                                   to read
 *   bazel/compressed-blobs/zstd/<hash>/<size>
 *   bazel/uploads/<uuid>/blobs/<hash>/<size>/whatever           to write
 *
 * The instance name may be absent, also before a slash, and `sha256/` may precede the hash.
 */
import type { BlobEncoding } from "#platform/blobs/schema.ts";
import { type BlobName, isHash } from "../../messages/digests.ts";
import { invalid } from "../calls/errors.ts";
import { MAX_RESOURCE_NAME_LENGTH } from "../calls/limits.ts";

export interface ResourceName extends BlobName {
  instanceName: string;
  encoding: BlobEncoding;
  /** The id of an upload; null: a name to read. */
  uploadId: string | null;
}

const KEYWORDS: ReadonlySet<string> = new Set(["uploads", "blobs", "compressed-blobs"]);

/** @throws GrpcError */
export function readResourceName(name: string): ResourceName {
  const parsed = name.length <= MAX_RESOURCE_NAME_LENGTH ? parse(name) : null;
  if (parsed) return parsed;
  throw invalid(
    `${JSON.stringify(name.slice(0, 200))} does not name a blob: use <instance>/blobs/<hash>/<size>, or <instance>/uploads/<uuid>/blobs/<hash>/<size>`,
  );
}

function parse(name: string): ResourceName | null {
  const parts = (name.startsWith("/") ? name.slice(1) : name).split("/");
  const instanceName = KEYWORDS.has(parts[0] ?? "") ? "" : (parts.shift() ?? "");
  let uploadId: string | null = null;
  if (parts[0] === "uploads") {
    uploadId = parts[1] ?? "";
    parts.splice(0, 2);
    if (uploadId === "") return null;
  }
  const kind = parts.shift();
  if (kind !== "blobs" && (kind !== "compressed-blobs" || parts.shift() !== "zstd")) return null;
  if (parts[0] === "sha256") parts.shift();
  const [hash = "", digits = "", ...rest] = parts;
  if (!isHash(hash) || !/^\d{1,15}$/.test(digits)) return null;
  // The rest of a name to write is the client's own.
  if (uploadId === null && rest.length > 0) return null;
  return {
    instanceName,
    uploadId,
    encoding: kind === "blobs" ? "identity" : "zstd",
    hash,
    size: Number(digits),
  };
}
