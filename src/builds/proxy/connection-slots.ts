/**
 * Slots for connections and tunnels of the builder endpoint, together. One organization has at most half of them: its builds
 * could use them all, and an open connection cannot be taken back.
 */
import type { Duplex } from "node:stream";
import { createCounts } from "./counts.ts";
import { MAX_CONNECTIONS, MAX_UNKNOWN } from "./limits.ts";

/** For builds that are still being looked up, or that were deleted. */
export const UNKNOWN = "";

export interface ConnectionSlots {
  /**
   * Gives the stream a slot until it closes, in exchange for the one that it may have.
   * @returns false: its organization has no slot left, and the stream has none any more
   */
  hold: (stream: Duplex, organizationId: string) => boolean;
}

export function createConnectionSlots(): ConnectionSlots {
  const counts = createCounts();
  const held = new Map<Duplex, () => void>();
  const leave = (stream: Duplex) => {
    held.get(stream)?.();
    held.delete(stream);
  };
  const isFull = (organizationId: string) =>
    counts.all() >= MAX_CONNECTIONS ||
    counts.of(organizationId) >= (organizationId === UNKNOWN ? MAX_UNKNOWN : MAX_CONNECTIONS / 2);
  return {
    hold(stream, organizationId) {
      const isNew = !held.has(stream);
      leave(stream);
      if (stream.destroyed || isFull(organizationId)) return false;
      held.set(stream, counts.add(organizationId));
      if (isNew) stream.once("close", () => leave(stream));
      return true;
    },
  };
}
