/**
 * 1. Whatever the cache has acknowledged before a `kill -9` is found afterwards, whole. After a sweep every file has a row, every
 *    row a file, and counts of references and bytes are right.
 *
 * `npm run test:attack -- --long` kills two hundred times.
 */
import { expect, test } from "vitest";
import { run } from "./cache.ts";

test("1. nothing acknowledged is lost, nothing is left", { timeout: 120_000 }, async () => {
  const { kills, acknowledged, lost } = await run({ kills: 6, seed: 5, log: () => {} });
  expect(lost).toEqual([]);
  expect(kills).toBe(6);
  expect(acknowledged).toBeGreaterThan(20);
});
