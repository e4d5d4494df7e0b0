/**
 * 1. At most as many tasks run at the same time as there are places, and all tasks run, in the order of arrival.
 * 2. Beyond the bytes that may wait, a task is refused with the time after which to try again; other tasks are unaffected.
 * 3. A failing task frees its place.
 */
import { expect, test } from "vitest";
import { createBodyLane } from "./body-lane.ts";

function setUp(options = { atOnce: 2, waitingBytes: 30 }) {
  const lane = createBodyLane(options);
  const started: number[] = [];
  const gates = new Map<number, PromiseWithResolvers<void>>();
  const run = (number: number) => {
    const gate = Promise.withResolvers<void>();
    gates.set(number, gate);
    return lane.run(10, async () => {
      started.push(number);
      await gate.promise;
      return number;
    });
  };
  const end = (number: number) => gates.get(number)?.resolve();
  const fail = (number: number) => gates.get(number)?.reject(new Error(`Task ${number}`));
  return { run, end, fail, started };
}

test("1. in order, two at once, 2. and three that wait", async () => {
  const { run, end, started } = setUp();
  const tasks = [1, 2, 3, 4, 5].map(run);
  await expect(run(6)).rejects.toMatchObject({ status: 503, retryAfter: 2 });
  expect(started).toEqual([1, 2]);
  end(2);
  await tasks[1];
  await expect.poll(() => started).toEqual([1, 2, 3]);
  const late = run(7);
  for (const number of [1, 3, 4, 5, 7]) end(number);
  expect(await Promise.all([...tasks, late])).toEqual([1, 2, 3, 4, 5, 7]);
  expect(started).toEqual([1, 2, 3, 4, 5, 7]);
});

test("3. a failure", async () => {
  const { run, end, fail, started } = setUp({ atOnce: 1, waitingBytes: 30 });
  const [first, second] = [run(1), run(2)];
  fail(1);
  await expect(first).rejects.toThrow("Task 1");
  end(2);
  expect(await second).toBe(2);
  const third = run(3);
  end(3);
  expect(await third).toBe(3);
  expect(started).toEqual([1, 2, 3]);
});
