/** Digests as the protocol has them, and keys of entries. */
import type { Digest } from "./gen/reapi/remote_execution_pb.ts";

/** Of no bytes at all. It is there without having been put. */
export const EMPTY_HASH = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** SHA-256 in hexadecimal, and bytes. */
export interface BlobName {
  hash: string;
  size: number;
}

/** @returns null for what is no digest of SHA-256 */
export function readDigest(digest: Digest | undefined): BlobName | null {
  if (!digest || !isHash(digest.hash) || digest.sizeBytes < 0n) return null;
  const size = Number(digest.sizeBytes);
  return Number.isSafeInteger(size) ? { hash: digest.hash, size } : null;
}

export const isHash = (text: string) => /^[0-9a-f]{64}$/.test(text);

export const casKey = (hash: string) => `cas/${hash}`;
export const actionKey = (hash: string) => `ac/${hash}`;
