import { MAX_CHECKED } from "./limits.ts";

/** Which files this process has compared with their digests, and how they looked then. */
export interface CheckedPlaces {
  has(place: string, stamp: string | null): boolean;
  add(place: string, stamp: string | null): void;
}

export function createCheckedPlaces(max = MAX_CHECKED): CheckedPlaces {
  const stamps = new Map<string, string | null>();
  return {
    has: (place, stamp) => stamps.get(place) === stamp && stamps.has(place),
    add(place, stamp) {
      stamps.delete(place);
      stamps.set(place, stamp);
      // The map's order is the order of adding.
      if (stamps.size > max) stamps.delete(stamps.keys().next().value!);
    },
  };
}
