/** The incoming bytes of one request, and whole blobs made of parts. */
import { type ReceivedBlob, UploadError, type DigestAlgorithm } from "#platform/blobs/upload.ts";
import type { Blobs } from "#platform/blobs/blobs.ts";
import { BrokenOffError } from "#platform/http/node/take-body.ts";
import { KEPT_PART_BYTES, MAX_BLOB_BYTES } from "../contract/limits.ts";
import { algorithmOf } from "../contract/names.ts";
import type { RegistryParts } from "../contract/parts.ts";
import { payerOf } from "../blobs/quota.ts";
import type { Chunk, Repository, UploadState } from "../contract/registry.ts";
import { RegistryError } from "../contract/registry-error.ts";
import { outOfOrder } from "./rows.ts";

export interface Receiving {
  repository: Repository;
  /** The state before this chunk. */
  upload: UploadState;
  chunk: Chunk;
  algorithm: DigestAlgorithm;
  /** Gets the received bytes when the client leaves in the middle, if they are many. */
  onBrokenOff?: (part: ReceivedBlob) => Promise<void>;
}

/** @returns null when nothing arrived. @throws RegistryError, UploadError, BrokenOffError */
export async function receiveChunk(
  { blobs, quota }: RegistryParts,
  { repository, upload, chunk, algorithm, onBrokenOff }: Receiving,
): Promise<ReceivedBlob | null> {
  const { start = upload.receivedBytes, size } = chunk;
  if (start !== upload.receivedBytes) throw outOfOrder(upload);
  const most = MAX_BLOB_BYTES - upload.receivedBytes;
  if ((size ?? 0) > most)
    throw new UploadError("too large", `a blob can have at most ${MAX_BLOB_BYTES} bytes`);
  const room = await quota.room(payerOf(repository), size);
  const coming = quota.receive(payerOf(repository));
  const receiving = blobs.receive({ maxBytes: Math.min(most, room), algorithm, onEnd: coming.end });
  try {
    await chunk.read((pieces) => {
      const counting = coming.count(pieces.reduce((sum, { length }) => sum + length, 0));
      return counting ? counting.then(() => receiving.writeAll(pieces)) : receiving.writeAll(pieces);
    });
    if (receiving.receivedBytes > 0) return await receiving.finish();
    await receiving.abort();
    return null;
  } catch (error) {
    const isWorthIt = receiving.receivedBytes >= KEPT_PART_BYTES;
    if (error instanceof BrokenOffError && isWorthIt && onBrokenOff)
      await onBrokenOff(await receiving.finish());
    else await receiving.abort();
    // The reason that the client can do something about.
    if (error instanceof UploadError && room < most)
      await quota.room(payerOf(repository), receiving.receivedBytes);
    throw error;
  }
}

/**
 * The blob that the parts form together. One that already has the digest is not read again.
 * @throws UploadError when its digest differs; MissingBytesError
 */
export async function combineParts(
  blobs: Blobs,
  parts: readonly ReceivedBlob[],
  digest: string,
): Promise<ReceivedBlob> {
  const algorithm = requireAlgorithm(digest);
  const [first] = parts;
  if (parts.length === 1 && first && algorithmOf(first.digest) === algorithm) {
    if (first.digest === digest) return first;
    throw new UploadError("digest", `the content has the digest ${first.digest}, not ${digest}`);
  }
  const whole = blobs.receive({ maxBytes: MAX_BLOB_BYTES, algorithm });
  try {
    for (const part of parts) for await (const piece of blobs.readReceived(part)) await whole.write(piece);
    return await whole.finish(digest);
  } catch (error) {
    await whole.abort();
    throw error;
  }
}

/** @throws RegistryError DIGEST_INVALID */
export function requireAlgorithm(digest: string): DigestAlgorithm {
  const algorithm = algorithmOf(digest);
  if (algorithm) return algorithm;
  throw new RegistryError(
    "DIGEST_INVALID",
    `digest is ${digest.slice(0, 200) || "missing"}; it must be sha256: or sha512: and the hash in hexadecimal`,
  );
}
