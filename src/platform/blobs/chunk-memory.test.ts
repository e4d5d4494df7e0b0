/**
 * 1. Returned memory is used for the next chunk, and never for two at the same time, however often it is returned.
 * 2. Foreign memory is left alone.
 */
import { expect, test } from "vitest";
import { createChunkMemory } from "./chunk-memory.ts";
import { CHUNK_BYTES } from "./limits.ts";

test("1. again", () => {
  const { take, giveBack } = createChunkMemory();
  const [first, second] = [take(CHUNK_BYTES), take(CHUNK_BYTES)];
  expect(first.buffer).not.toBe(second.buffer);
  // A part stands for the whole chunk.
  giveBack(first.subarray(10, 20));
  giveBack(first);
  const [third, fourth] = [take(CHUNK_BYTES - 1), take(CHUNK_BYTES)];
  expect(third.buffer).toBe(first.buffer);
  expect(third).toHaveLength(CHUNK_BYTES - 1);
  expect(new Set([second, third, fourth].map(({ buffer }) => buffer)).size).toBe(3);
});

test("2. of others", () => {
  const { take, giveBack } = createChunkMemory();
  const foreign = Buffer.alloc(CHUNK_BYTES);
  const small = take(100);
  for (const chunk of [foreign, small, createChunkMemory().take(CHUNK_BYTES)]) giveBack(chunk);
  const next = take(CHUNK_BYTES);
  expect([foreign.buffer, small.buffer]).not.toContain(next.buffer);
});
