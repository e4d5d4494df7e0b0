/** 1. The same request keeps its key, a different one gets a new key. */
import { expect, test } from "vitest";
import { createIdempotencyKeys } from "./idempotency-key.ts";

test("1. keys", () => {
  const keys = createIdempotencyKeys();
  const first = keys.of({ name: "deploy" });
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(keys.of({ name: "deploy" })).toBe(first);
  expect(keys.of({ name: "deploy 2" })).not.toBe(first);
  expect(createIdempotencyKeys().of({ name: "deploy" })).not.toBe(first);
});
