/*
 * 1. `last` keeps the words up to the first missing one, `frequency` the rarest ones up to it; `all` keeps all or nothing.
 * 2. A quoted phrase must be there; then everything else may be missing.
 * 3. A word that no document has is the first to be given up, wherever it stands, with `frequency` only.
 * 4. A document with more of the words never keeps fewer.
 * 5. A stop word is never required.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { keptWords, type StrategyWord } from "./kept-words.ts";

const words = (...frequencies: number[]): StrategyWord[] =>
  frequencies.map((frequency) => ({ isLiteral: false, isStopWord: false, frequency }));

test("1. strategies", () => {
  const asked = words(9, 5, 7);
  expect([0b111, 0b101, 0b011, 0b110].map(keptWords(asked, "last"))).toEqual([0b111, 0b001, 0b011, 0]);
  expect([0b111, 0b110, 0b011, 0b101].map(keptWords(asked, "frequency"))).toEqual([0b111, 0b110, 0b010, 0]);
  expect([0b111, 0b110].map(keptWords(asked, "all"))).toEqual([0b111, 0]);
});

test("2. quotes", () => {
  const quoted = [...words(9), { isLiteral: true, isStopWord: false, frequency: 3 }, ...words(2)];
  expect([0b010, 0b111, 0b101, 0b110].map(keptWords(quoted, "last"))).toEqual([0b010, 0b111, 0, 0b010]);
});

test("3. unknown words", () => {
  expect(keptWords(words(5, 0, 3), "frequency")(0b101)).toBe(0b101);
  expect(keptWords(words(5, 0, 3), "last")(0b101)).toBe(0b001);
});

test("4. more words", () => {
  const word = fc.record({
    isLiteral: fc.boolean(),
    isStopWord: fc.constant(false),
    frequency: fc.nat({ max: 4 }),
  });
  const mask = fc.nat({ max: 63 });
  const matching = fc.constantFrom("last" as const, "frequency" as const, "all" as const);
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 6 }),
      mask,
      mask,
      matching,
      (asked, some, more, how) => {
        const kept = keptWords(asked, how);
        const whole = (1 << asked.length) - 1;
        const few = kept(some & whole);
        expect(kept((some | more) & whole) & few).toBe(few);
        expect(few & ~some).toBe(0);
      },
    ),
  );
});

test("5. stop words", () => {
  const asked = [...words(9), { isLiteral: false, isStopWord: true, frequency: 50 }, ...words(2)];
  expect([0b101, 0b001].map(keptWords(asked, "all"))).toEqual([0b101, 0]);
  expect([0b101, 0b001].map(keptWords(asked, "last"))).toEqual([0b101, 0b001]);
  expect([0b101, 0b100].map(keptWords(asked, "frequency"))).toEqual([0b101, 0b100]);
});
