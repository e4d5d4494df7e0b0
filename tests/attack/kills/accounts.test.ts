/**
 * 1. Whatever the API has answered before a `kill -9` is there afterwards, once, and so is its answer: the same create
 *    with the same `Idempotency-Key` gets it again. No organization is half made.
 *
 * `npm run test:attack -- --long` kills two hundred times.
 */
import { expect, test } from "vitest";
import { run } from "./accounts.ts";

test("1. nothing acknowledged is lost", { timeout: 120_000 }, async () => {
  const { kills, acknowledged, lost } = await run({ kills: 5, seed: 11, log: () => {} });
  expect(lost).toEqual([]);
  expect(kills).toBe(5);
  expect(acknowledged).toBeGreaterThan(20);
});
