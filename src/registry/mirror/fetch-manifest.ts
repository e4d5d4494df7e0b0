/** Manifests on their way from other registries, which have as much memory together as those that are pushed. */
import { createMessageRoom, type Place } from "#platform/grpc/message-room.ts";
import { MANIFEST_ROOM_BYTES, MANIFEST_WAIT_MS } from "../limits.ts";
import type { Grant } from "../registry.ts";
import type { AwaitRoom, UpstreamManifest } from "./upstream.ts";

const room = createMessageRoom({ bytes: MANIFEST_ROOM_BYTES, waitMs: MANIFEST_WAIT_MS });

/**
 * @param ask resolves once the bytes have come; what it says before that they are is reserved until they are kept
 * @throws NoRoomError, and what both throw
 */
export async function fetchManifest<Kept>(
  { actor }: Grant,
  ask: (awaitRoom: AwaitRoom) => Promise<UpstreamManifest>,
  keep: (manifest: UpstreamManifest) => Promise<Kept>,
): Promise<Kept> {
  let place: Place | undefined;
  try {
    const manifest = await ask(async (bytes) => {
      place = room.take(actor.organizationId ?? "", bytes);
      await place.ready;
    });
    return await keep(manifest);
  } finally {
    place?.release();
  }
}
