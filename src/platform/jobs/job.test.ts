/**
 * With the test's own clock and timers; the oracle is a list of starts and their times.
 * 1. A job never runs twice at the same time, whatever wakes it; a wake during a run makes it run once more.
 * 2. Pauses and rests are observed, wakes in between have no effect; after a pause it runs on its own, after a rest it waits.
 * 3. An error of a job is reported and the job continues; a run that takes too long is aborted.
 * 4. Stopping ends timers, aborts a running job and waits for it; nothing begins afterwards.
 * 5. Wakes that come together cause one run, a fixed delay after the first of them; a wake during a run causes another, with the
 *    same delay.
 * 6. A periodic job starts a fixed time after its last run ended, give or take its jitter.
 * 7. A job is the server's own work, whatever wakes it.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { currentRequestId, runForRequest } from "../log/request-context.ts";
import { createJob, type JobOptions, type JobPause, type JobTimers, startPeriodicJob } from "./job.ts";

/** Time that advances when the test tells it to. */
function fakeTime() {
  let now = 0;
  let next = 0;
  const due = new Map<number, { at: number; run: () => void }>();
  const timers: JobTimers = {
    set: (run, ms) => {
      due.set(++next, { at: now + ms, run });
      return next;
    },
    clear: (timer) => void due.delete(timer as number),
  };
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  return {
    timers,
    clock: () => now,
    due,
    settle,
    async pass(ms: number) {
      const until = now + ms;
      for (;;) {
        const [id, first] = [...due].sort(([, a], [, b]) => a.at - b.at)[0] ?? [];
        if (id === undefined || !first || first.at > until) break;
        now = first.at;
        due.delete(id);
        first.run();
        await settle();
      }
      now = until;
      await settle();
    },
  };
}

/** A job whose runs end when the test tells them to. */
function held(pause: JobPause = undefined, options: Pick<JobOptions, "wakeDelayMs"> = {}) {
  const time = fakeTime();
  const begun: number[] = [];
  const errors: unknown[] = [];
  const ends: {
    resolve: (pause: JobPause) => void;
    reject: (error: unknown) => void;
    signal: AbortSignal;
  }[] = [];
  const job = createJob({
    name: "test",
    ...time,
    ...options,
    retry: { againMs: 10 },
    timeoutMs: 1000,
    onError: (error) => errors.push(error),
    run: (signal) => {
      begun.push(time.clock());
      return new Promise((resolve, reject) => ends.push({ resolve, reject, signal }));
    },
  });
  const end = async () => {
    ends.at(-1)?.resolve(pause);
    await time.settle();
  };
  return { time, begun, errors, ends, job, end };
}

test("1. never twice at once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom("wake", "end"), { maxLength: 40 }), async (steps) => {
      const { job, begun, end } = held();
      let expected = 0;
      let isRunning = false;
      let isWoken = false;
      for (const step of steps) {
        if (step === "wake") {
          job.wake();
          if (isRunning) isWoken = true;
          else [expected, isRunning] = [expected + 1, true];
        } else if (isRunning) {
          await end();
          isRunning = isWoken;
          if (isWoken) expected += 1;
          isWoken = false;
        }
        expect([begun.length, job.isRunning]).toEqual([expected, isRunning]);
      }
    }),
  );
});

test("2. pauses and rests", async () => {
  const pausing = held({ againMs: 100 });
  pausing.job.wake();
  await pausing.end();
  pausing.job.wake();
  await pausing.time.pass(99);
  expect(pausing.begun).toEqual([0]);
  await pausing.time.pass(1);
  expect(pausing.begun).toEqual([0, 100]);

  const resting = held({ restMs: 100 });
  resting.job.wake();
  await resting.end();
  await resting.time.pass(99);
  resting.job.wake();
  expect(resting.begun).toEqual([0]);
  await resting.time.pass(500);
  expect(resting.begun).toEqual([0]);
  resting.job.wake();
  expect(resting.begun).toEqual([0, 599]);
});

test("3. failures and runs that take too long", async () => {
  const { job, begun, errors, ends, time } = held();
  job.wake();
  const failure = new Error("once");
  ends[0]?.reject(failure);
  await time.settle();
  await time.pass(10);
  expect([errors, begun]).toEqual([[failure], [0, 10]]);
  await time.pass(999);
  expect(ends[1]?.signal.aborted).toBe(false);
  await time.pass(1);
  expect(String(ends[1]?.signal.reason)).toContain("test takes too long");
});

test("4. stopping", async () => {
  const { job, begun, ends, time, errors, end } = held({ againMs: 5 });
  job.wake();
  let isStopped = false;
  const stopped = job.stop().then(() => (isStopped = true));
  await time.settle();
  expect([ends[0]?.signal.aborted, isStopped]).toEqual([true, false]);
  await end();
  await stopped;
  job.wake();
  await time.pass(1000);
  expect([begun, errors, time.due.size]).toEqual([[0], [], 0]);
});

test("5. a wake that waits", async () => {
  const { job, begun, time, end } = held(undefined, { wakeDelayMs: 100 });
  job.wake();
  await time.pass(60);
  job.wake();
  await time.pass(39);
  expect(begun).toEqual([]);
  await time.pass(1);
  expect(begun).toEqual([100]);
  await time.pass(10);
  job.wake();
  await end();
  await time.pass(99);
  expect(begun).toEqual([100]);
  await time.pass(1);
  expect(begun).toEqual([100, 210]);
  await end();
  await time.pass(1000);
  expect(begun).toEqual([100, 210]);
});

test("6. periodic", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 1000 }),
      fc.double({ min: 0, max: 0.9, noNaN: true }),
      async (everyMs, jitter) => {
        const time = fakeTime();
        const begun: number[] = [];
        const job = startPeriodicJob({
          name: "sweep",
          ...time,
          everyMs,
          jitter,
          onError: () => {},
          run: () => {
            begun.push(time.clock());
            if (begun.length % 2 === 0) throw new Error("every second one");
          },
        });
        await time.pass(everyMs * 10);
        await job.stop();
        const pauses = begun.map((at, index) => at - (begun[index - 1] ?? 0));
        expect(begun.length).toBeGreaterThanOrEqual(9);
        for (const pause of pauses) {
          expect(pause).toBeLessThanOrEqual(everyMs + 1e-6);
          expect(pause).toBeGreaterThanOrEqual(everyMs * (1 - jitter) - 1e-6);
        }
      },
    ),
  );
});

test("7. no one's job", async () => {
  const seen: unknown[] = [];
  const run = () => void seen.push(currentRequestId());
  for (const wakeDelayMs of [0, 1]) {
    const job = createJob({ name: "test", run, retry: undefined, onError: () => {}, wakeDelayMs });
    runForRequest("waker", job.wake);
    await expect.poll(() => seen.length).toBe(wakeDelayMs + 1);
    await job.stop();
  }
  expect(seen).toEqual([undefined, undefined]);
});
