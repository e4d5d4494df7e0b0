/**
 * 1. Whatever is asked and given back, in whatever order: no builder begins when all places are taken, or its organization has its
 *    share, except for a build that has a place; no build waits while there is a place for it.
 * 2. A place goes to the organization that has the fewest, however many builders of another one wait, and there to the first
 *    builder.
 * 3. A builder at work takes further builds immediately, and keeps its place until the last build has ended. While another builder
 *    waits for a place, the one that has been at work the longest takes no more: builders whose builds never end all at the same
 *    time, of one organization or of several, shut no one out, and take turns. A build that has a place and continues on a builder
 *    that takes no more continues alone.
 * 4. A build that holds a place can always continue: no such build waits for another one, even if it may not wait. The caller is
 *    notified when its turn has come.
 */
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { createTurns } from "./turns.ts";

const RULES = { most: 4, mostOfOne: 2 };

interface Asked {
  key: string;
  organizationId: string;
  buildId: string;
}

interface AtWork {
  key: string;
  organizationId: string;
  one: Asked;
  leave: () => void;
}

function openHouse(rules = RULES) {
  const turns = createTurns(rules);
  const atWork: AtWork[] = [];
  const asked: Asked[] = [];
  /** Builds that began without room for them, since the last read. */
  let overLimit: Asked[] = [];
  const hasRoom = (organizationId: string) => {
    const busy = new Map(atWork.map((each) => [each.key, each.organizationId]));
    const ofOne = [...busy.values()].filter((each) => each === organizationId);
    return busy.size < rules.most && ofOne.length < rules.mostOfOne;
  };
  const holdsOne = ({ buildId }: Asked) => atWork.some((each) => each.one.buildId === buildId);
  return {
    turns,
    atWork,
    /** Except builds that share a builder with a build that has another builder: all builds of a builder begin together. */
    readOverLimit() {
      const sharesOne = ({ key }: Asked) =>
        atWork.some(
          (each) =>
            each.key === key &&
            atWork.some((other) => other.key !== key && other.one.buildId === each.one.buildId),
        );
      const found = overLimit.filter((one) => !sharesOne(one));
      overLimit = [];
      return found;
    },
    hasRoom,
    holdsOne,
    waiting: () => asked.filter((one) => !atWork.some((each) => each.one === one)),
    /** @param buildId absent: a build without other builders */
    ask(key: string, organizationId = key.slice(0, 1), buildId?: string) {
      const one = { key, organizationId, buildId: buildId ?? `${asked.length} ${key}` };
      asked.push(one);
      void turns.take(key, organizationId, { buildId }).then((leave) => {
        const isBusy = atWork.some((each) => each.key === key);
        if (!isBusy && !hasRoom(organizationId) && !holdsOne(one)) overLimit.push(one);
        atWork.push({ key, organizationId, one, leave });
      });
    },
    leave(one: AtWork) {
      atWork.splice(atWork.indexOf(one), 1);
      asked.splice(asked.indexOf(one.one), 1);
      one.leave();
      // A second call does nothing.
      one.leave();
    },
    keys: () => atWork.map(({ key }) => key),
  };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("1. and 4. any order", async () => {
  const step = fc.record({
    does: fc.constantFrom("ask", "leave"),
    of: fc.constantFrom("a", "b", "c"),
    at: fc.nat(9),
    build: fc.option(fc.nat(5), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const house = openHouse();
      for (const { does, of, at, build } of steps) {
        const leaving = house.atWork[at];
        const buildId = build === undefined ? build : `${of} ${build}`;
        if (does === "ask") house.ask(`${of}${at}`, of, buildId);
        else if (leaving) house.leave(leaving);
        await settle();
        expect(house.readOverLimit()).toEqual([]);
        for (const one of house.waiting()) {
          expect(house.hasRoom(one.organizationId)).toBe(false);
          expect(house.holdsOne(one)).toBe(false);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test("2. who has the fewest is next", async () => {
  const house = openHouse({ most: 3, mostOfOne: 3 });
  for (let at = 0; at < 100; at += 1) house.ask(`a${at}`);
  house.ask("b0");
  house.ask("b1");
  await settle();
  expect(house.keys()).toEqual(["a0", "a1", "a2"]);
  house.leave(house.atWork[0]!);
  await settle();
  expect(house.keys()).toEqual(["a1", "a2", "b0"]);
  house.leave(house.atWork[0]!);
  await settle();
  // Both have the same number: the first caller is next.
  expect(house.keys()).toEqual(["a2", "b0", "a3"]);
  house.leave(house.atWork[2]!);
  house.leave(house.atWork[0]!);
  await settle();
  expect(house.keys()).toEqual(["b0", "a4", "a5"]);
});

test("3. one builder", async () => {
  const house = openHouse({ most: 1, mostOfOne: 1 });
  house.ask("a0");
  house.ask("a0");
  house.ask("b0");
  house.ask("b0");
  await settle();
  expect(house.keys()).toEqual(["a0", "a0"]);
  house.leave(house.atWork[0]!);
  await settle();
  expect(house.keys()).toEqual(["a0"]);
  house.leave(house.atWork[0]!);
  await settle();
  expect(house.keys()).toEqual(["b0", "b0"]);
});

test.each([
  ["another organization", { most: 2, mostOfOne: 2 }, ["a0", "b0"], "c0"],
  ["one of several", { most: 4, mostOfOne: 2 }, ["a0", "a1"], "a2"],
])("3. builders that never rest: %s", async (_, rules, keys, waits) => {
  const house = openHouse(rules);
  for (const key of keys) house.ask(key);
  await settle();
  house.ask(waits);
  const had = new Map<string, number>();
  for (let round = 0; round < 12; round += 1) {
    const before = [...house.atWork];
    for (const key of [...keys, waits]) house.ask(key);
    await settle();
    for (const one of before) house.leave(one);
    await settle();
    for (const key of new Set(house.keys())) had.set(key, (had.get(key) ?? 0) + 1);
  }
  // Three builders share two places.
  for (const key of [...keys, waits]) expect(had.get(key)).toBeGreaterThanOrEqual(4);
});

test("3. two projects that take turns at two builders each", async () => {
  const house = openHouse({ most: 4, mostOfOne: 4 });
  const builds = new Map<string, string>();
  let count = 0;
  const begin = async (project: string) => {
    count += 1;
    for (const at of ["x", "y"]) house.ask(`a-${project}${at}`, "a", `build ${count}`);
    builds.set(project, `build ${count}`);
    await settle();
  };
  for (const at of ["x", "y"]) for (const project of ["p", "q"]) house.ask(`a-${project}${at}`, "a", project);
  for (const project of ["p", "q"]) builds.set(project, project);
  await settle();
  house.ask("b0");
  for (let round = 0; round < 12 && !house.keys().includes("b0"); round += 1)
    for (const project of ["p", "q"]) {
      const before = builds.get(project);
      await begin(project);
      for (const one of house.atWork.filter((each) => each.one.buildId === before)) house.leave(one);
      await settle();
    }
  expect(house.keys()).toContain("b0");
});

test("3. a build that continues brings no others", async () => {
  const house = openHouse({ most: 2, mostOfOne: 2 });
  house.ask("a0");
  house.ask("a1", "a", "continues");
  house.ask("b0");
  house.ask("a0");
  await settle();
  const waits = ["b0", "a0"];
  expect([house.keys(), house.waiting().map(({ key }) => key)]).toEqual([["a0", "a1"], waits]);
  house.ask("a0", "a", "continues");
  await settle();
  expect([house.keys(), house.waiting().map(({ key }) => key)]).toEqual([["a0", "a1", "a0"], waits]);
});

test("3. who gives up keeps no one waiting", async () => {
  const house = openHouse({ most: 1, mostOfOne: 1 });
  house.ask("a0");
  const [given, asked] = [new AbortController(), new Error("canceled")];
  const left = expect(house.turns.take("b0", "b", { signal: given.signal })).rejects.toBe(asked);
  house.ask("a0");
  await settle();
  expect(house.keys()).toEqual(["a0"]);
  given.abort(asked);
  await left;
  await settle();
  expect(house.keys()).toEqual(["a0", "a0"]);
});

test("4. several platforms", async () => {
  const house = openHouse();
  // Each build has its first place before it asks for the second one.
  for (const name of ["a0", "a1", "b0", "b1", "c0"]) house.ask(`${name}-amd64`, name.slice(0, 1), name);
  for (const name of ["a0", "a1", "b0", "b1", "c0"]) house.ask(`${name}-arm64`, name.slice(0, 1), name);
  await settle();
  expect(house.waiting().map(({ key }) => key)).toEqual(["c0-amd64", "c0-arm64"]);
  const onTurn = vi.fn();
  const leave = await house.turns.take("a0-arm", "a", { buildId: "a0", mayWait: false, onTurn });
  expect(onTurn).toHaveBeenCalledOnce();
  const none = house.turns.take("a2-amd64", "a", { buildId: "a2", mayWait: false, onTurn });
  await expect(none).rejects.toThrow("the limit for one organization");
  expect(onTurn).toHaveBeenCalledOnce();
  leave();
  // The builders of one build continue together.
  for (const one of house.atWork.filter((each) => each.one.buildId !== "b1")) house.leave(one);
  await settle();
  expect(house.waiting()).toEqual([]);
});
