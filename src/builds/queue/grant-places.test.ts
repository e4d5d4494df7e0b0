/**
 * 1. Whatever is asked, abandoned and ended, in whatever order: no builder has more builds than places, except for what 4. says; no
 *    place is free while a build that asked lately waits for it; places go in the order of asking.
 * 2. Builders do not wait for each other: a platform whose places are all taken does not block another platform.
 * 3. A build that did not ask lately is passed over, and keeps its position in the queue for when it asks again.
 * 4. Builds for several platforms never wait for each other in a circle: of those that have a place, one can continue.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type AskedPlace, grantPlaces } from "./grant-places.ts";

const PLATFORMS = ["linux/amd64", "linux/arm64"];
const step = fc.record({
  does: fc.constantFrom("ask", "ask", "end", "fall silent"),
  build: fc.nat(6),
  platform: fc.constantFrom(...PLATFORMS),
});
const asks = (buildId: string, platform = PLATFORMS[0]!, askedAt = 1): AskedPlace => ({
  buildId,
  platform,
  askedAt,
  isGranted: false,
  isStalled: false,
});

/** Grants places as the records do. */
function fill(places: AskedPlace[], perBuilder: number, askedSince = 1): AskedPlace[] {
  const granted = grantPlaces(places, { perBuilder, askedSince });
  for (const place of granted) place.isGranted = true;
  return granted;
}

function apply(
  places: AskedPlace[],
  { does, build, platform }: { does: string; build: number; platform: string },
) {
  const buildId = String(build);
  const known = places.find((place) => place.buildId === buildId && place.platform === platform);
  if (does === "ask" && known) known.askedAt = 1;
  else if (does === "ask") places.push(asks(buildId, platform));
  else if (does === "end") return places.filter((place) => place.buildId !== buildId);
  else if (known) known.askedAt = 0;
  return places;
}

test("1. and 4. any order", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 3 }), (steps, perBuilder) => {
      let places: AskedPlace[] = [];
      for (const each of steps) {
        places = apply(places, each);
        const before = places.filter(({ isGranted }) => isGranted);
        fill(places, perBuilder);
        const waits = (id: string) => places.some((place) => place.buildId === id && !place.isGranted);
        const holds = (id: string) => places.some((place) => place.buildId === id && place.isGranted);
        for (const platform of PLATFORMS) {
          const here = places.filter((place) => place.platform === platform);
          const has = here.filter(({ isGranted }) => isGranted);
          const lately = here.filter(({ isGranted, askedAt }) => !isGranted && askedAt === 1);
          if (lately.length > 0) expect(has.length).toBeGreaterThanOrEqual(perBuilder);
          // More than its places only for builds that have a place at another builder.
          const elsewhere = has.filter(({ buildId }) =>
            places.some((one) => one.buildId === buildId && one.platform !== platform),
          );
          if (has.length > perBuilder) expect(elsewhere.length).toBeGreaterThan(0);
          const given = has.filter((place) => !before.includes(place) && !elsewhere.includes(place));
          for (const place of given)
            for (const earlier of lately) expect(here.indexOf(earlier)).toBeGreaterThan(here.indexOf(place));
        }
        const running = [...new Set(before.map(({ buildId }) => buildId))];
        const isSilent = (id: string) =>
          places.some((one) => one.buildId === id && !one.isGranted && one.askedAt === 0);
        if (running.length > 0 && !running.some(isSilent))
          expect(running.filter(holds).some((id) => !waits(id))).toBe(true);
      }
    }),
  );
});

test("2. one builder and another", () => {
  const many = Array.from({ length: 200 }, (_, at) => asks(`m${at}`));
  const few = asks("few", PLATFORMS[1]);
  const granted = fill([...many, few], 2);
  expect(granted.map(({ buildId }) => buildId)).toEqual(["m0", "m1", "few"]);
});

test("3. who is gone", () => {
  const [first, gone, here] = [asks("first"), asks("gone", PLATFORMS[0], 0), asks("here")];
  expect(fill([first, gone, here], 1)).toEqual([first]);
  expect(fill([gone, here], 1)).toEqual([here]);
  gone.askedAt = 1;
  const later = asks("later");
  expect(fill([gone, later], 1)).toEqual([gone]);
});

test("4. two that wait for each other", () => {
  const [amd64 = "", arm64 = ""] = PLATFORMS;
  const places = [asks("one", amd64), asks("two", arm64)];
  fill(places, 1);
  places.push(asks("one", arm64));
  expect(fill(places, 1)).toEqual([]);
  const stuck = asks("two", amd64);
  places.push(stuck);
  // The first of them continues, the other one when it has ended.
  expect(fill(places, 1)).toEqual([places[2]]);
  expect(
    fill(
      places.filter(({ buildId }) => buildId !== "one"),
      1,
    ),
  ).toEqual([stuck]);
});
