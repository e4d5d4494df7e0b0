/**
 * Decides which builds are next at the builders of a project. Each builder, one per platform, has a number of places:
 *
 *   waits ─► has a place ─► its build ends
 *     └─ not asked for lately: passed over until it is asked for again
 *
 * Places go in the order of asking. A build that has a place at another builder comes before those that have none, because it keeps
 * others waiting there. Two builds that each wait for the other's place would wait forever: if no build with a place can continue,
 * one more place is granted. Builds of several projects can also wait for each other at their machines: a build that has waited
 * there for a while with its place cannot continue either.
 */
export interface AskedPlace {
  buildId: string;
  platform: string;
  askedAt: number;
  isGranted: boolean;
  /** Granted a while ago, but its builder is not open yet: it may be waiting for a turn at its machine. */
  isStalled: boolean;
}

export interface GrantRules {
  /** Builds at one builder. */
  perBuilder: number;
  /** A build whose client has not asked since then is passed over. */
  askedSince: number;
}

/** @param places of one project, in the order of asking. @returns the places to grant */
export function grantPlaces<Place extends AskedPlace>(
  places: readonly Place[],
  { perBuilder, askedSince }: GrantRules,
): Place[] {
  const granted = new Set(places.filter(({ isGranted }) => isGranted));
  const waits = (buildId: string) =>
    places.some((place) => place.buildId === buildId && (place.isStalled || !granted.has(place)));
  const holds = (buildId: string) => [...granted].some((place) => place.buildId === buildId);
  const asked = places.filter(({ isGranted, askedAt }) => !isGranted && askedAt >= askedSince);
  const [first, then] = [
    asked.filter((place) => holds(place.buildId)),
    asked.filter((place) => !holds(place.buildId)),
  ];
  return [...first, ...then].filter((place) => {
    const there = [...granted].filter(({ platform }) => platform === place.platform);
    const isStuck = holds(place.buildId) && there.every(({ buildId }) => waits(buildId));
    if (there.length >= perBuilder && !isStuck) return false;
    granted.add(place);
    return true;
  });
}
