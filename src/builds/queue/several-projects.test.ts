/**
 * Places of projects, and turns of machines, together:
 *
 * 1. 32 projects of an organization, each with a build for two platforms whose second place belongs to a build that waits for a
 *    turn at the machine: all of them end.
 * 2. Whatever is asked, on one machine or two: every build ends, provided that builds with all of their builders end.
 * 3. Builds for several platforms arrive constantly for one project, each before the last one has ended: another project's build
 *    still gets its place on the machine.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { longer } from "#platform/testing/longer.ts";
import { createTurns, type TurnsOptions } from "../machine/turns.ts";
import { type AskedPlace, grantPlaces } from "./grant-places.ts";

const [amd64, arm64, riscv] = ["linux/amd64", "linux/arm64", "linux/riscv64"];
const PLATFORMS = [amd64, arm64, riscv] as const;

interface Wanted {
  project: string;
  machine: number;
  platforms: readonly string[];
  /** Requests one platform after the other, as some clients do. */
  isPatient: boolean;
}

type Place = AskedPlace & { of: Build; leave?: () => void };
type Build = Wanted & { id: string };

const settle = () => new Promise((resolve) => setImmediate(resolve));

function openHouse(rules: TurnsOptions, perBuilder: number) {
  const machines = [createTurns(rules), createTurns(rules)];
  let places: Place[] = [];
  const builds = new Map<string, Build>();
  let begun = 0;
  const placesOf = (build: Build) => places.filter(({ of }) => of === build);
  const ask = (build: Build, platform: string) =>
    places.push({ buildId: build.id, platform, askedAt: 1, isGranted: false, isStalled: false, of: build });
  async function open(place: Place): Promise<void> {
    place.isGranted = true;
    const { of, platform } = place;
    place.leave = await machines[of.machine]!.take(`${of.project} ${platform}`, "org", { buildId: of.id });
    place.isStalled = false;
  }
  return {
    builds,
    has: (build: Build) => placesOf(build).some(({ leave }) => leave),
    begin(wanted: Wanted) {
      const build = { ...wanted, id: String((begun += 1)) };
      builds.set(build.id, build);
      for (const platform of build.isPatient ? build.platforms.slice(0, 1) : build.platforms)
        ask(build, platform);
      this.fill();
      return build;
    },
    fill() {
      for (const project of new Set(places.map(({ of }) => of.project))) {
        const ofProject = places.filter(({ of }) => of.project === project);
        for (const place of grantPlaces(ofProject, { perBuilder, askedSince: 1 })) void open(place);
      }
    },
    /** Lets time pass. */
    stall() {
      for (const place of places) place.isStalled = place.isGranted && !place.leave;
    },
    askNext() {
      for (const build of builds.values()) {
        const known = placesOf(build);
        const next = build.platforms[known.length];
        if (next && known.every(({ leave }) => leave)) ask(build, next);
      }
    },
    /** Ends a build that has all of its builders. @returns whether there is one */
    endOne(): boolean {
      for (const build of builds.values()) {
        const own = placesOf(build);
        if (own.length < build.platforms.length || !own.every(({ leave }) => leave)) continue;
        builds.delete(build.id);
        places = places.filter(({ of }) => of !== build);
        for (const { leave } of own) leave?.();
        return true;
      }
      return false;
    },
  };
}

async function endAll(house: ReturnType<typeof openHouse>): Promise<void> {
  // A patient build asks again for each platform.
  for (let idle = 0; house.builds.size > 0 && idle <= PLATFORMS.length;) {
    await settle();
    idle = house.endOne() ? 0 : idle + 1;
    house.askNext();
    if (idle > 0) house.stall();
    house.fill();
  }
  expect([...house.builds.keys()]).toEqual([]);
}

test("1. each project waits for another one", async () => {
  const PROJECTS = 32;
  const house = openHouse({ most: 64, mostOfOne: PROJECTS }, 1);
  const names = Array.from({ length: PROJECTS }, (_, at) => `p${at}`);
  const one = { machine: 0, isPatient: false };
  for (const project of names) house.begin({ ...one, project, platforms: [amd64], isPatient: true });
  await settle();
  // No place is left for these builds, which have the places at their projects' other builders.
  for (const project of names) house.begin({ ...one, project, platforms: [arm64] });
  await settle();
  for (const build of house.builds.values())
    if (build.platforms[0] === amd64) build.platforms = [amd64, arm64];
  house.askNext();
  await endAll(house);
});

test("2. any order", async () => {
  const wanted = fc.record({
    project: fc.constantFrom("a", "b", "c", "d"),
    machine: fc.nat(1),
    platforms: fc.shuffledSubarray([...PLATFORMS], { minLength: 1 }),
    isPatient: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(wanted, { maxLength: 24 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 3 }),
      async (all, perBuilder, most) => {
        const house = openHouse({ most, mostOfOne: most }, perBuilder);
        for (const each of all) house.begin(each);
        await endAll(house);
      },
    ),
    { numRuns: longer(200) },
  );
});

test.each([
  [
    [arm64, amd64],
    [arm64, amd64],
  ],
  [
    [arm64, riscv, amd64],
    [riscv, arm64, amd64],
  ],
])("3. a steady stream", async (one, other) => {
  const most = one.length;
  const house = openHouse({ most, mostOfOne: most }, 4);
  const of = { machine: 0, project: "a", isPatient: true };
  const ask = async () => {
    house.fill();
    await settle();
    house.askNext();
    await settle();
  };
  house.begin({ ...of, platforms: [amd64] });
  await ask();
  let waits: ReturnType<typeof house.begin> | null = null;
  for (let round = 0; round < 24; round += 1) {
    house.begin({ ...of, platforms: round % 2 === 0 ? one : other });
    for (let at = 0; at < PLATFORMS.length; at += 1) await ask();
    waits ??= house.begin({ ...of, project: "b", platforms: [amd64] });
    await settle();
    if (house.has(waits)) return;
    house.endOne();
  }
  expect.unreachable("It never had its place.");
});
