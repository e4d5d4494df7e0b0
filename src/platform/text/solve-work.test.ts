/**
 * 1. The hash is SHA-256, for texts of every length.
 * 2. The hash of the result begins with the requested number of zero bits.
 * 3. Other work gets turns meanwhile, progress only grows, and it ends when aborted.
 */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hashText } from "./sha-256.ts";
import { solveWork } from "./solve-work.ts";
import { zeroBits } from "../work/zero-bits.ts";

const hexOf = (words: Int32Array) =>
  [...words].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");

test("1. the hash", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.string({ minLength: 50, maxLength: 70 })),
      (text) => {
        expect(hexOf(hashText(text))).toBe(createHash("sha256").update(text).digest("hex"));
      },
    ),
  );
});

test("2. an answer", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: "grapheme-ascii" }),
      fc.integer({ min: 0, max: 10 }),
      async (challenge, bits) => {
        const answer = await solveWork({ challenge, bits });
        expect(answer.startsWith(`${challenge}:`)).toBe(true);
        const nonce = Number(answer.slice(challenge.length + 1));
        expect(zeroBits(challenge, nonce)).toBeGreaterThanOrEqual(bits);
      },
    ),
  );
});

test("3. turns and an end", async () => {
  const stop = new AbortController();
  const shares: number[] = [];
  const work = solveWork(
    { challenge: "never", bits: 33 },
    {
      signal: stop.signal,
      onProgress: (share) => {
        shares.push(share);
        if (shares.length === 20) setImmediate(() => stop.abort(new Error("left")));
      },
    },
  );
  await expect(work).rejects.toThrow("left");
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares.at(-1)).toBeLessThan(1);
});
