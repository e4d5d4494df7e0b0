/**
 * 1. Swaps are whole, done once and in order after three kills.
 *
 * `npm run test:attack -- --long` kills two hundred times.
 */
import { expect, test } from "vitest";
import { run } from "./swaps.ts";

test("1. kills", { timeout: 120_000 }, async () => {
  const { kills, acknowledged, lost } = await run({ kills: 3, seed: 3, log: () => {} });
  expect(lost).toEqual([]);
  expect(kills).toBe(3);
  expect(acknowledged).toBeGreaterThan(0);
});
