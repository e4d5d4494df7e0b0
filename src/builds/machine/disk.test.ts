/** 1. A build begins with as much free space as uploads need, and on a small disk with what the start of a builder needs. */
import { expect, test } from "vitest";
import { LOW_BYTES } from "#platform/files/disk-space.ts";
import { neededBytes } from "./disk.ts";
import { MIN_FREE_BYTES } from "./limits.ts";

test("1. free space", () => {
  const needed = (totalBytes: number) => neededBytes({ freeBytes: 0, totalBytes });
  expect(needed(500e9)).toBe(LOW_BYTES);
  expect(needed(10e9)).toBe(400e6);
  expect(needed(400e6)).toBe(MIN_FREE_BYTES);
});
