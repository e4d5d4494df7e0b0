/**
 * 1. Whatever is asked and given back in whatever order: no more builders are at work than there are places, none of an
 *    organization more than its share; nobody waits while there is a place for it.
 * 2. A place goes to the organization that has the fewest, however many wait of another one, and there to the first one.
 * 3. A builder that is at work takes further builds at once, and has its place until the last one has ended.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

const RULES = { most: 4, mostOfOne: 2 };

function openHouse(rules = RULES) {
  const turns = createTurns(rules);
  const atWork: { key: string; organizationId: string; leave: () => void }[] = [];
  const asked: string[] = [];
  return {
    atWork,
    waiting: () => asked.filter((key) => !atWork.some((each) => each.key === key)),
    ask(key: string, organizationId = key.slice(0, 1)) {
      asked.push(key);
      void turns.take(key, organizationId).then((leave) => atWork.push({ key, organizationId, leave }));
    },
    leave(one: (typeof atWork)[number]) {
      atWork.splice(atWork.indexOf(one), 1);
      asked.splice(asked.indexOf(one.key), 1);
      one.leave();
      // It counts once.
      one.leave();
    },
    keys: () => atWork.map(({ key }) => key),
  };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("1. any order", async () => {
  const step = fc.record({
    does: fc.constantFrom("ask", "leave"),
    of: fc.constantFrom("a", "b", "c"),
    at: fc.nat(9),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const house = openHouse();
      for (const { does, of, at } of steps) {
        const leaving = house.atWork[at];
        if (does === "ask") house.ask(`${of}${at}`, of);
        else if (leaving) house.leave(leaving);
        // oxlint-disable-next-line no-await-in-loop -- one step after the other
        await settle();
        const busy = new Map(house.atWork.map((each) => [each.key, each.organizationId]));
        const countOf = (name: string) => [...busy.values()].filter((each) => each === name).length;
        expect(busy.size).toBeLessThanOrEqual(RULES.most);
        for (const name of ["a", "b", "c"]) expect(countOf(name)).toBeLessThanOrEqual(RULES.mostOfOne);
        for (const key of house.waiting())
          expect(busy.size === RULES.most || countOf(key.slice(0, 1)) === RULES.mostOfOne).toBe(true);
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
  // As many of each: the one that came first.
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
