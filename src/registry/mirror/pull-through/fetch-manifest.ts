/** Manifests that are being fetched from other registries, which together have as much memory as pushed ones. */
import { createMessageRoom, type Place } from "#platform/grpc/message-room.ts";
import { MANIFEST_ROOM_BYTES, MANIFEST_WAIT_MS } from "../../contract/limits.ts";
import type { Grant } from "../../contract/registry.ts";
import type { AwaitRoom, UpstreamManifest } from "../upstream/upstream.ts";

const room = createMessageRoom({ bytes: MANIFEST_ROOM_BYTES, waitMs: MANIFEST_WAIT_MS });

/**
 * @param ask resolves once the bytes have arrived; the size that it reports before stays reserved until they are stored
 * @throws NoRoomError, and what both callbacks throw
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
