/**
 * 1. Everything acknowledged is there after three kills of a server that receives documents.
 *
 * `npm run test:attack -- --long` kills two hundred times.
 */
import { expect, test } from "vitest";
import { run } from "./index-writes.ts";

test("1. kills", { timeout: 120_000 }, async () => {
  const { kills, acknowledged, lost } = await run({ kills: 3, seed: 3, log: () => {} });
  expect(lost).toEqual([]);
  expect(kills).toBe(3);
  expect(acknowledged).toBeGreaterThan(0);
});
