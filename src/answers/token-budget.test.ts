/**
 * 1. Answers hold a reserve, which what they used replaces, once; without room for a reserve there is no answer. 2. A new day begins
 * at 00:00 UTC, with what an answer of yesterday still uses. 3. The log gets one line a day.
 */
import { expect, test } from "vitest";
import { RESERVED_TOKENS } from "./contract/limits.ts";
import { createTokenBudget } from "./token-budget.ts";

const NOON = Date.UTC(2026, 10, 29, 12);

test("1. a day", () => {
  const budget = createTokenBudget(2 * RESERVED_TOKENS, () => NOON);
  const [one, two] = [budget.take()!, budget.take()!];
  expect([budget.left(), budget.take()]).toEqual([0, null]);
  one(500);
  one(500);
  expect([budget.left(), budget.take()]).toEqual([RESERVED_TOKENS - 500, null]);
  two(0);
  expect(budget.left()).toBe(2 * RESERVED_TOKENS - 500);
  budget.take()!(3 * RESERVED_TOKENS);
  expect([budget.left(), budget.take()]).toEqual([0, null]);
});

test("2. and 3. the next day", () => {
  let now = NOON;
  const budget = createTokenBudget(RESERVED_TOKENS + 700, () => now);
  const settle = budget.take()!;
  expect(budget.secondsLeft()).toBe(12 * 3600);
  expect([budget.isFirstToday(), budget.isFirstToday()]).toEqual([true, false]);
  now = Date.UTC(2026, 10, 30);
  settle(700);
  expect(budget.left()).toBe(RESERVED_TOKENS);
  expect(budget.secondsLeft()).toBe(24 * 3600);
  expect(budget.isFirstToday()).toBe(true);
});
