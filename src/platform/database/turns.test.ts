/**
 * 1. Work that runs alone never overlaps with other work; all work gets its turn, also when work fails.
 * 2. Work that may be shared runs at the same time.
 * 3. Work that waits to run alone is not overtaken.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

test("1. alone", async () => {
  const job = fc.record({ isAlone: fc.boolean(), steps: fc.nat(3), fails: fc.boolean(), after: fc.nat(5) });
  await fc.assert(
    fc.asyncProperty(fc.array(job, { maxLength: 20 }), async (jobs) => {
      const turns = createTurns();
      const running = new Set<number>();
      const settled = await Promise.allSettled(
        jobs.map(async ({ isAlone, steps, fails, after }, index) => {
          for (let step = 0; step < after; step += 1) await Promise.resolve();
          return turns.run(async () => {
            running.add(index);
            for (let step = 0; step <= steps; step += 1) {
              const beside = [...running].filter((other) => other !== index);
              if (isAlone || beside.some((other) => jobs[other]?.isAlone)) expect(beside).toEqual([]);
              await Promise.resolve();
            }
            running.delete(index);
            if (fails) throw new Error("fails");
            return index;
          }, isAlone);
        }),
      );
      expect(settled.map(({ status }) => status)).toEqual(
        jobs.map(({ fails }) => (fails ? "rejected" : "fulfilled")),
      );
    }),
  );
});

test("2. and 3. beside each other, and in turn", async () => {
  const turns = createTurns();
  const order: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (name: string, isAlone = false) =>
    turns.run(() => {
      order.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    }, isAlone);
  const all = [begin("a"), begin("b"), begin("alone", true), begin("c")];
  await Promise.resolve();
  await Promise.resolve();
  expect(order).toEqual(["a", "b"]);
  for (const name of ["a", "b"]) ends.get(name)?.();
  await Promise.all(all.slice(0, 2));
  await Promise.resolve();
  expect(order).toEqual(["a", "b", "alone"]);
  ends.get("alone")?.();
  await all[2];
  await Promise.resolve();
  expect(order).toEqual(["a", "b", "alone", "c"]);
  ends.get("c")?.();
  await all[3];
});
