/**
 * 1. Every folder with a stamp is complete after two kills of a build.
 *
 * `npm run test:attack -- --long` kills two hundred times.
 */
import { expect, test } from "vitest";
import { run } from "./builds.ts";

test("1. kills", { timeout: 120_000 }, async () => {
  const { kills, acknowledged, lost } = await run({ kills: 2, seed: 3, log: () => {} });
  expect(lost).toEqual([]);
  expect(kills).toBe(2);
  expect(acknowledged).toBeGreaterThan(0);
});
