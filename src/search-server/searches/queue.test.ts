/**
 * 1. While nothing waits, a search begins immediately.
 * 2. Searches that come when the turn is used up wait, in order; everything else has a turn in between
 *    (counted).
 * 3. The number and time of waiting searches and the number of started ones are bounded: the rest get
 *    Retry-After.
 * 4. A long search does not hold up new ones, and new ones do not stop it (random lengths).
 * 5. An error in a search affects only that search.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Steps } from "#search/index.ts";
import { ApiError } from "../protocol/errors.ts";
import { TURN_MS } from "../protocol/limits.ts";
import { createSearchQueue } from "./queue.ts";

const LIMITS = { waitingSearches: 50, searchWaitMs: 1000, startedSearches: 4 };

/** A clock that only work moves, and turns that the test takes. */
function harness(limits = LIMITS) {
  let time = 0;
  const turns: (() => void)[] = [];
  const log: string[] = [];
  const queue = createSearchQueue({ limits, now: () => time, nextTurn: (callback) => turns.push(callback) });
  function* search(name: string, milliseconds: number[]): Steps<string> {
    for (const [at, each] of milliseconds.entries()) {
      time += each;
      log.push(`${name}${at}`);
      if (at < milliseconds.length - 1) yield;
    }
    return name;
  }
  return {
    queue,
    log,
    ask: (name: string, ...milliseconds: number[]) => queue.run(search(name, milliseconds)),
    pass: (milliseconds: number) => (time += milliseconds),
    takeTurn: () => turns.shift()?.(),
    /** Takes turns until nothing is left to do. */
    takeAll: () => {
      let taken = 0;
      for (let turn = turns.shift(); turn; turn = turns.shift()) {
        turn();
        taken++;
      }
      return taken;
    },
  };
}

test("1. at once", async () => {
  const { ask, log, takeAll } = harness();
  const answer = ask("a", 1, 1);
  expect(log).toEqual(["a0", "a1"]);
  expect(await answer).toBe("a");
  expect(takeAll()).toBe(1);
});

test("2. in order, with turns between", async () => {
  const { ask, log, queue, takeAll } = harness();
  const answers = Array.from({ length: 40 }, (_, at) => ask(`${at}-`, TURN_MS / 2));
  expect(log).toEqual(["0-0", "1-0"]);
  expect(queue.waiting).toBe(38);
  expect(takeAll()).toBeGreaterThanOrEqual(19);
  expect(log).toEqual(Array.from({ length: 40 }, (_, at) => `${at}-0`));
  expect(await Promise.all(answers)).toHaveLength(40);
});

const refused = { code: "too_many_search_requests", status: 503, retryAfterSeconds: 1 };

test("3. too many, too long", async () => {
  const { ask, queue, log, pass, takeAll } = harness();
  const answers = Promise.allSettled(Array.from({ length: 1000 }, (_, at) => ask(`${at}-`, TURN_MS)));
  expect(queue.waiting).toBe(LIMITS.waitingSearches);
  pass(LIMITS.searchWaitMs + 1);
  takeAll();
  expect(log).toEqual(["0-0"]);
  const settled = await answers;
  const reasons = settled.flatMap((one) => (one.status === "rejected" ? [one.reason as ApiError] : []));
  expect(reasons).toHaveLength(999);
  for (const reason of reasons) expect(reason).toMatchObject(refused);

  const many = harness();
  const steps = [TURN_MS, TURN_MS, TURN_MS, TURN_MS];
  const long = Promise.allSettled(Array.from({ length: 10 }, (_, at) => many.ask(`${at}-`, ...steps)));
  for (let turn = 0; turn < 6; turn++) many.takeTurn();
  expect(many.queue.started).toBeLessThanOrEqual(LIMITS.startedSearches);
  many.takeAll();
  const ends = await long;
  expect(ends.filter(({ status }) => status === "fulfilled").length).toBeGreaterThanOrEqual(
    LIMITS.startedSearches,
  );
  expect(many.queue).toMatchObject({ waiting: 0, started: 0 });
});

test("4. long and short ones", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 30 }), { maxLength: 12 }),
      async (searches) => {
        const { ask, takeAll, log } = harness({ ...LIMITS, startedSearches: 50, searchWaitMs: Infinity });
        const answers = searches.map((milliseconds, at) => ask(`${at}-`, ...milliseconds));
        takeAll();
        expect(await Promise.all(answers)).toEqual(searches.map((_, at) => `${at}-`));
        expect(log).toHaveLength(searches.flat().length);
      },
    ),
  );
  const { ask, log, takeAll } = harness();
  const steps = Array.from({ length: 20 }, () => TURN_MS);
  const answers = [ask("long", ...steps), ...Array.from({ length: 10 }, (_, at) => ask(`${at}-`, 1))];
  takeAll();
  await Promise.all(answers);
  // All short ones have begun by the time the long one has done a few of its steps.
  expect(log.indexOf("9-0")).toBeLessThan(log.indexOf("long6"));
});

function* fail(): Steps<never> {
  yield;
  throw new ApiError("bad_request", "wrong");
}

test("5. mistakes", async () => {
  const { ask, queue, takeAll } = harness();
  const failing = queue.run(fail());
  const other = ask("a", 1);
  await expect(failing).rejects.toMatchObject({ code: "bad_request" });
  expect(await other).toBe("a");
  takeAll();
  expect(queue).toMatchObject({ waiting: 0, started: 0 });
});
