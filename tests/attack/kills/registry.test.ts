/**
 * 1. Whatever the registry has acknowledged before a `kill -9` (blobs, manifests, tags, deletes) is so afterwards, whole. After the
 *    sweeps every file has a row, every row a file, every blob a manifest, every manifest a tag, and references are counted right.
 *
 * `npm run test:attack -- --long` kills two hundred times.
 */
import { expect, test } from "vitest";
import { run } from "./registry.ts";

test("1. nothing acknowledged is lost, nothing is left", { timeout: 120_000 }, async () => {
  const { kills, acknowledged, lost } = await run({ kills: 6, seed: 7, log: () => {} });
  expect(lost).toEqual([]);
  expect(kills).toBe(6);
  expect(acknowledged).toBeGreaterThan(20);
});
