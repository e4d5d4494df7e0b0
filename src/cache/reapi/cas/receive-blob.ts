/**
 * Uploads of blobs, and the memory of their decoders: 300 bytes of zstd make a decoder keep 8 MB until the rest arrives, so
 * with all the requests that one address may have they would take 4 GB.
 */
import { createMessageRoom, type MessageRoom } from "#platform/grpc/message-room.ts";
import type { BlobEncoding } from "#platform/blobs/schema.ts";
import type { Upload } from "#platform/blobs/upload.ts";
import type { Cache, Grant } from "../../contract/cache.ts";
import {
  BATCH_DECODERS_BYTES,
  DECODER_BYTES,
  DECODER_WINDOW_BYTES,
  DECODERS_BYTES,
  DECODERS_WAIT_MS,
} from "../calls/limits.ts";

/**
 * The memory of decoders. Those of a batch have all their content and wait for no one; those of ByteStream wait for their
 * clients, and for room for the next message, so a batch, which has such room, must not wait for them.
 */
export interface Decoders {
  batch: MessageRoom;
  stream: MessageRoom;
}

export const createDecoders = (): Decoders => ({
  batch: createMessageRoom({ bytes: BATCH_DECODERS_BYTES, waitMs: DECODERS_WAIT_MS }),
  // Most servers have one organization.
  stream: createMessageRoom({ bytes: DECODERS_BYTES, share: DECODERS_BYTES / 2, waitMs: DECODERS_WAIT_MS }),
});

export interface Receiving {
  cache: Cache;
  grant: Grant;
  room: MessageRoom;
  /** Called when there is no room: gives up uploads that no client waits for. */
  makeRoom?: () => Promise<void>;
}

/** @throws NoRoomError, UploadError */
export async function receiveBlob(
  { cache, grant, room, makeRoom }: Receiving,
  blob: { size: number; encoding: BlobEncoding },
): Promise<Upload> {
  if (blob.encoding === "identity") return cache.receive(grant, blob);
  // A decoder remembers no more than it has decoded.
  const place = room.take(grant.organizationId, DECODER_BYTES + Math.min(blob.size, DECODER_WINDOW_BYTES));
  try {
    if (place.ready) {
      await makeRoom?.();
      await place.ready;
    }
    return cache.receive(grant, { ...blob, onEnd: place.release });
  } catch (error) {
    place.release();
    throw error;
  }
}
