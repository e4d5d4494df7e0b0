/** Digests in the protocol's form, and keys of entries. */
import { Code } from "@connectrpc/connect";
import { GrpcError } from "#platform/grpc/grpc-error.ts";
import { type Digest, DigestFunction_Value } from "./gen/reapi/remote_execution_pb.ts";

/** The hash of no bytes at all. This blob is there without having been put. */
export const EMPTY_HASH = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** SHA-256 in hexadecimal, and bytes. */
export interface BlobName {
  hash: string;
  size: number;
}

/** @returns null for anything but a digest of SHA-256 */
export function readDigest(digest: Digest | undefined): BlobName | null {
  if (!digest || !isHash(digest.hash) || digest.sizeBytes < 0n) return null;
  const size = Number(digest.sizeBytes);
  return Number.isSafeInteger(size) ? { hash: digest.hash, size } : null;
}

export const isHash = (text: string) => /^[0-9a-f]{64}$/.test(text);

export const casKey = (hash: string) => `cas/${hash}`;
export const actionKey = (hash: string) => `ac/${hash}`;

/** @returns null for SHA-256, and for requests that do not name a function */
export function digestFunctionError(digestFunction: number): string | null {
  if (digestFunction === DigestFunction_Value.UNKNOWN || digestFunction === DigestFunction_Value.SHA256)
    return null;
  return "this cache supports only SHA-256 digests: set the tool's digest function to sha256";
}

/** @throws GrpcError that names the digest */
export function requireDigest(digest: Digest | undefined): BlobName {
  const name = readDigest(digest);
  if (!name)
    throw new GrpcError(
      Code.InvalidArgument,
      `${JSON.stringify(digest?.hash.slice(0, 100) ?? "")} of ${digest?.sizeBytes ?? 0} bytes is not a SHA-256 digest`,
    );
  return name;
}
