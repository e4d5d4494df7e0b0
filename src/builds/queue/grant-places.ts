/**
 * Who is next at the builders of a project. Each builder, one of a platform, has so many places:
 *
 *   waits ─► has a place ─► its build ends
 *     └─ not asked for lately: passed over until it is asked for again
 *
 * Places go in the order of asking. A build that has a place at another builder comes before those that have none, because it
 * keeps others waiting there. Two builds that each wait for the place of the other would wait for ever: where nobody who has a
 * place could go on, one more is given. That goes for builds of several projects, too, which wait for each other at their machines:
 * whoever has a place, and has waited there for a while, cannot go on either.
 */
export interface AskedPlace {
  buildId: string;
  platform: string;
  askedAt: number;
  isGranted: boolean;
  /** Granted a while ago, and its builder is not open yet: it may wait for a turn at its machine. */
  isStalled: boolean;
}

export interface GrantRules {
  /** Builds at one builder. */
  perBuilder: number;
  /** Who has not asked since then is passed over. */
  askedSince: number;
}

/** @param places of one project, in the order of asking. @returns those that are to be granted */
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
