/**
 * 1. Whatever was acknowledged before a `kill -9` is in the database afterwards, once; kills happen at random
 *    points of writing.
 *
 * `npm run test:attack -- --long` kills two hundred times.
 */
import { expect, test } from "vitest";
import { run } from "./telemetry.ts";

test("1. nothing acknowledged is lost", { timeout: 120_000 }, async () => {
  const { kills, acknowledged, lost } = await run({ kills: 3, seed: 11, log: () => {} });
  expect(lost).toEqual([]);
  expect(kills).toBe(3);
  expect(acknowledged).toBeGreaterThan(20);
});
