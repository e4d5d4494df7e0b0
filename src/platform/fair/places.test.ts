/**
 * 1. Alone, a holder has all places; next to another that has asked lately, half of them.
 * 2. A free place goes to the holder with the fewest, however much of others waits: a newcomer is next.
 * 3. A wait that takes too long rejects, and takes no place.
 * 4. In any order of requests, there are never more than all places in use, and every request gets a place in the end.
 * 5. Work that waits although a place is free gets it once the others have been silent for a while, even if no one leaves.
 * 6. The server's own work is next while it has less than half, whatever else waits.
 */
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { ACTIVE_MS } from "./limits.ts";
import { createFairPlaces } from "./places.ts";

afterEach(() => void vi.useRealTimers());

function open(most: number) {
  let now = 0;
  const places = createFairPlaces(most, () => now);
  const begun: string[] = [];
  const enter = (holder: string) => {
    const waits = places.enter(holder);
    if (waits) void waits.then(() => begun.push(holder));
    else begun.push(holder);
  };
  return { places, begun, enter, wait: (ms: number) => void (now += ms) };
}

const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

test("1. alone and beside another", async () => {
  const { places, begun, enter, wait } = open(10);
  for (let count = 0; count < 12; count += 1) enter("a");
  expect(begun).toHaveLength(10);
  enter("b");
  for (let count = 0; count < 5; count += 1) places.leave("a");
  await settled();
  // One place for the newcomer, and none for the holder that has half.
  expect(begun.slice(10)).toEqual(["b"]);
  places.leave("b");
  await settled();
  expect([begun.length, places.waiting]).toEqual([11, 2]);
  wait(ACTIVE_MS);
  places.leave("a");
  await settled();
  expect(begun.slice(11)).toEqual(["a", "a"]);
});

test("2. a newcomer is next", async () => {
  const { places, begun, enter } = open(10);
  for (let count = 0; count < 1_000; count += 1) enter("crowd");
  enter("quiet");
  places.leave("crowd");
  await settled();
  expect(begun.indexOf("quiet")).toBe(10);
  expect(places.waiting).toBe(990);
});

test("2. the server's own work counts as no one's rival", () => {
  const { places, begun, enter } = open(4);
  expect(places.enter(undefined)).toBeUndefined();
  for (let count = 0; count < 3; count += 1) enter("a");
  expect(begun).toHaveLength(3);
});

test("3. too long", async () => {
  const { places, enter } = open(1);
  enter("a");
  const waits = places.enter("b", { timeoutMs: 1, makeError: () => new Error("too long") });
  await expect(waits).rejects.toThrow("too long");
  expect(places.waiting).toBe(0);
  expect(places.holders).toBe(1);
  places.leave("a");
  expect(places.enter("b")).toBeUndefined();
});

test("4. any order", async () => {
  const step = fc.record({
    holder: fc.constantFrom("a", "b", "c", ""),
    enters: fc.boolean(),
    ms: fc.nat(2_000),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 10 }),
      fc.array(step, { maxLength: 60 }),
      async (most, steps) => {
        const { places, begun, enter, wait } = open(most);
        const running = () => begun.length - left;
        let [left, asked] = [0, 0];
        const leaveOne = async () => {
          places.leave(begun[left]!);
          left += 1;
          await settled();
          expect(running()).toBeLessThanOrEqual(most);
        };
        for (const { holder, enters, ms } of steps) {
          wait(ms);
          if (enters) enter(holder);
          if (enters) asked += 1;
          await settled();
          if (!enters && running() > 0) await leaveOne();
        }
        while (running() > 0) await leaveOne();
        expect([begun.length, places.waiting]).toEqual([asked, 0]);
      },
    ),
    { numRuns: 100 },
  );
});

test("5. a free place", async () => {
  vi.useFakeTimers();
  const places = createFairPlaces(4);
  const enter = () => places.enter("a");
  expect([places.enter("b"), enter(), enter()]).toEqual([undefined, undefined, undefined]);
  const waits = enter();
  expect(places.waiting).toBe(1);
  await vi.advanceTimersByTimeAsync(2 * ACTIVE_MS);
  await waits;
  expect(places.waiting).toBe(0);
});

test("6. the server's own work", async () => {
  const { places, begun, enter } = open(4);
  for (let count = 0; count < 4; count += 1) enter(`crowd ${count}`);
  for (let count = 0; count < 10; count += 1) enter(`newcomer ${count}`);
  for (let count = 0; count < 3; count += 1) enter("");
  for (let count = 0; count < 3; count += 1) places.leave(`crowd ${count}`);
  await settled();
  expect(begun.slice(4)).toEqual(["", "", "newcomer 0"]);
});
