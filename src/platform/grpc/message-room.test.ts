/**
 * 1. Small messages need no place. The held bytes never exceed the room, nor a holder its share, except for a single larger
 *    message; whatever is taken, released and given up, everyone who waits gets a place, and nothing is left over.
 * 2. First come, first served: no one overtakes a message that waits for the room, anyone may overtake a message that waits for
 *    its holder's share.
 * 3. A wait that takes too long rejects, and admits the next.
 */
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { createMessageRoom, FREE_BYTES, NoRoomError, type Place } from "./message-room.ts";

afterEach(() => void vi.useRealTimers());

const MANY = FREE_BYTES + 1;

interface Taken {
  place: Place;
  holder: string;
  bytes: number;
  state: "waiting" | "held" | "released";
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

test("1. random takings", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.record({
            holder: fc.constantFrom("a", "b", "c"),
            bytes: fc.integer({ min: 0, max: 40 * MANY }),
          }),
          fc.nat({ max: 100 }),
          fc.record({ shrink: fc.nat({ max: 100 }), to: fc.integer({ min: 0, max: 10 * MANY }) }),
        ),
        { maxLength: 80 },
      ),
      async (steps) => {
        const [bytes, share] = [32 * MANY, 8 * MANY];
        const room = createMessageRoom({ bytes, share, waitMs: 1_000_000 });
        const taken: Taken[] = [];
        const check = async () => {
          await settle();
          const held = taken.filter(({ state, bytes: own }) => state === "held" && own > FREE_BYTES);
          const sum = (all: Taken[]) => all.reduce((before, each) => before + Math.min(bytes, each.bytes), 0);
          expect(room.heldBytes).toBe(sum(held));
          expect(room.heldBytes).toBeLessThanOrEqual(bytes);
          for (const own of Map.groupBy(held, ({ holder }) => holder).values())
            expect(own.length === 1 || sum(own) <= share).toBe(true);
          expect(room.waiting).toBe(taken.filter(({ state }) => state === "waiting").length);
        };
        const release = (one: Taken | undefined) => {
          if (!one) return;
          one.state = "released";
          one.place.release();
          one.place.release();
        };
        for (const step of steps) {
          if (typeof step === "number") release(taken[step % Math.max(1, taken.length)]);
          else if ("shrink" in step) {
            const one = taken[step.shrink % Math.max(1, taken.length)];
            // Messages that never needed a place are not involved.
            if (!one || one.bytes <= FREE_BYTES) continue;
            one.bytes = Math.min(one.bytes, Math.max(MANY, step.to));
            one.place.shrink(one.bytes);
          } else {
            const place = room.take(step.holder, step.bytes);
            const one: Taken = { ...step, place, state: place.ready ? "waiting" : "held" };
            place.ready?.then(
              () => (one.state = "held"),
              () => {},
            );
            taken.push(one);
          }
          await check();
        }
        for (let left = taken.length; left > 0; left -= 1) {
          const open = taken.filter(({ state }) => state !== "released");
          if (open.length === 0) break;
          // Some message always has a place, or all would wait forever.
          expect(open.some(({ state }) => state === "held")).toBe(true);
          release(open.find(({ state }) => state === "held"));
          await check();
        }
        expect([room.heldBytes, room.waiting]).toEqual([0, 0]);
      },
    ),
    { numRuns: 200 },
  );
});

test("2. in turn", async () => {
  const room = createMessageRoom({ bytes: 8 * MANY, share: 6 * MANY, waitMs: 1_000_000 });
  const order: string[] = [];
  const take = (holder: string, times: number) => {
    const place = room.take(holder, times * MANY);
    void (place.ready ?? Promise.resolve()).then(() => order.push(`${holder}${times}`));
    return place;
  };
  const first = take("a", 5);
  take("a", 2);
  const other = take("b", 2);
  const large = take("c", 6);
  take("d", 1);
  await settle();
  expect(order).toEqual(["a5", "b2"]);
  other.release();
  await settle();
  // It would fit, but the one before it would then wait longer.
  expect(order).toEqual(["a5", "b2"]);
  first.release();
  await settle();
  expect(order).toEqual(["a5", "b2", "a2", "c6"]);
  large.release();
  await settle();
  expect(order.at(-1)).toBe("d1");
});

test("3. too long", async () => {
  vi.useFakeTimers();
  const room = createMessageRoom({ bytes: 2 * MANY, share: 2 * MANY, waitMs: 1000 });
  const first = room.take("a", MANY);
  const late = room.take("b", 2 * MANY);
  vi.advanceTimersByTime(500);
  const next = room.take("c", MANY);
  expect([first.ready, late.ready === null, next.ready === null]).toEqual([null, false, false]);
  vi.advanceTimersByTime(500);
  await expect(late.ready).rejects.toThrow(NoRoomError);
  await next.ready;
  expect([room.heldBytes, room.waiting]).toEqual([2 * MANY, 0]);
  vi.advanceTimersByTime(10_000);
  for (const place of [first, late, next]) place.release();
  expect(room.heldBytes).toBe(0);
});
