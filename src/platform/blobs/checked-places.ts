import { MAX_CHECKED } from "./limits.ts";

/** Files that this process has compared with their digests, with their stamps at that time. */
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
      // The map is in order of insertion.
      if (stamps.size > max) stamps.delete(stamps.keys().next().value!);
    },
  };
}
