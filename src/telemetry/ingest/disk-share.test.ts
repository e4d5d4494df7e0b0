/**
 * 1. Within the retention, one address adds less than a quarter of a kind's budget, one network less than half, and all
 *    together a quarter in a burst and a quarter a day; a sender that waits as long as required is let in.
 * 2. When one kind's share is used up, the others still have theirs, and likewise for networks.
 * 3. A request that exceeded the share is paid off before the next one.
 * 4. Setting the clock back gives no additional share, and shuts no one out for longer than before.
 */
import { expect, test } from "vitest";
import { budgetOf, KEPT_KINDS, type KeptKind } from "../contract/budgets.ts";
import { DEFAULT_LIMITS } from "../contract/limits.ts";
import { Refusal } from "../contract/refusal.ts";
import { createDiskShare } from "./disk-share.ts";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const hex = (number: number) => number.toString(16);

function setUp(retentionDays = 30) {
  const state = { now: 1_795_000_000_000 };
  const config = { maxBytes: 2e9, retentionDays };
  const share = createDiskShare({ config, limits: DEFAULT_LIMITS, clock: () => state.now });
  /** @returns 0 when it was stored, else the seconds to wait */
  const keep = (address: string, kind: KeptKind, bytes: number): number => {
    try {
      share.requireRoom(address, kind);
    } catch (error) {
      if (error instanceof Refusal && error.status === 429) return error.retryAfter ?? 0;
      throw error;
    }
    share.spend(address, kind, bytes);
    return 0;
  };
  const budget = (kind: KeptKind) => budgetOf(kind, config.maxBytes);
  /** Sends every ten minutes. @returns the part of the budget that was stored */
  const floodFor = (days: number, kind: KeptKind, addressOf: (at: number) => string) => {
    const bytes = budget(kind) / 2000;
    let kept = 0;
    let at = 0;
    for (let tries = days * 144; tries >= 0; tries--) {
      while (keep(addressOf(at++), kind, bytes) === 0) kept += bytes;
      if (tries > 0) state.now += 10 * MINUTE;
    }
    return kept / budget(kind);
  };
  return { state, keep, budget, floodFor };
}

test.each(KEPT_KINDS)("1. %s", (kind) => {
  expect(setUp().floodFor(30, kind, () => "203.0.113.9")).toBeCloseTo(7 / 32, 2);
  expect(setUp(7).floodFor(7, kind, () => "203.0.113.9")).toBeCloseTo(7 / 32, 2);
  expect(setUp().floodFor(30, kind, (at) => `203.0.113.${at % 250}`)).toBeLessThan(0.5);
  expect(setUp().floodFor(30, kind, (at) => `2001:db8:1:${hex(at % 65_536)}::1`)).toBeLessThan(0.5);
  const everywhere = (at: number) => `2001:${hex(at % 1000)}:1::1`;
  expect(setUp().floodFor(0, kind, everywhere)).toBeCloseTo(1 / 4, 2);
  expect(setUp().floodFor(1, kind, everywhere)).toBeCloseTo(1 / 2, 2);
});

test("1. as told", () => {
  const { state, keep, floodFor } = setUp();
  floodFor(0, "errors", () => "203.0.113.9");
  const seconds = keep("203.0.113.9", "errors", 1);
  state.now += (seconds - 1) * 1000;
  expect(keep("203.0.113.9", "errors", 1)).toBeGreaterThan(0);
  state.now += 1000;
  expect(keep("203.0.113.9", "errors", 1)).toBe(0);
});

test("2. others", () => {
  const { keep, floodFor } = setUp();
  floodFor(0, "recordings", (at) => `2001:db8:1:${hex(at % 65_536)}::1`);
  expect(keep("2001:db8:1:1::1", "feedback", 100)).toBe(0);
  expect(keep("2001:db8:2:1::1", "recordings", 100)).toBe(0);
  expect(keep("2001:db8:1:ffff::1", "recordings", 100)).toBeGreaterThan(0);
  floodFor(0, "recordings", (at) => `2001:${hex(at % 1000)}:1::1`);
  expect(keep("203.0.113.9", "recordings", 100)).toBeGreaterThan(0);
  for (const kind of ["events", "errors", "feedback"] as const)
    expect(keep("203.0.113.9", kind, 100)).toBe(0);
});

test("3. more than the share", () => {
  const { state, keep, budget } = setUp();
  const share = budget("recordings") / 32;
  expect(keep("203.0.113.9", "recordings", share * 3)).toBe(0);
  // It fills six times in thirty days.
  const seconds = keep("203.0.113.9", "recordings", 1);
  expect(seconds / 86_400).toBeCloseTo(10, 1);
  state.now += 9 * DAY;
  expect(keep("203.0.113.9", "recordings", 1)).toBeGreaterThan(0);
  state.now += 2 * DAY;
  expect(keep("203.0.113.9", "recordings", 1)).toBe(0);
});

test("4. a clock set back", () => {
  const { state, keep, floodFor } = setUp();
  const often = () => floodFor(0, "events", () => "203.0.113.9");
  expect(often()).toBeGreaterThan(0);
  state.now -= 60 * DAY;
  expect(often()).toBe(0);
  state.now += DAY;
  expect(keep("203.0.113.9", "events", 1)).toBe(0);
});
