import type { LiveEvent } from "./live-connection.ts";

const LATEST_SHOWN = 20;

/** Each event once, ordered by number, the last twenty. */
export function joinLatest(first: readonly LiveEvent[], second: readonly LiveEvent[]): readonly LiveEvent[] {
  const byId = new Map([...first, ...second].map((event) => [event.id, event]));
  return [...byId.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1)).slice(-LATEST_SHOWN);
}
