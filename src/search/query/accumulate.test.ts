/*
 * 1. Scores, masks and units are those of adding up everything in doubles, the first source of a word counting.
 * 2. A search for only the best gets the best: the same units, scores and masks in the same order, and the same
 *    total.
 * 3. Frequent words are then only counted: a search for a rare word and "the" looks at the rare word's units.
 * 4. Helpers add to what the sources find, and find nothing.
 * 5. Nothing is left over from one search to the next.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { buildIndex, openIndex } from "../index.ts";
import { selectHighest } from "../contract/select.ts";
import { accumulate } from "./accumulate.ts";
import type { Source } from "./bounds.ts";
import { rarity } from "./rarity.ts";
import { UnitBits } from "./unit-bits.ts";
import type { WordMatches } from "./word-matches.ts";

const UNITS = 4000;
const index = openIndex(
  buildIndex(
    Array.from({ length: UNITS }, (_, id) => ({ id })),
    { primaryKey: "id" },
  ),
);

function matchesOf(units: readonly number[], scoreOf: (unit: number) => number): WordMatches {
  const sorted = Uint32Array.from([...new Set(units)].sort((a, b) => a - b));
  const scores = Float32Array.from(sorted, scoreOf);
  const most = Math.max(0, ...scores);
  const word = "";
  const bits = new UnitBits(UNITS);
  for (const unit of sorted) bits.add(unit);
  const merged = { units: sorted, scores, most, bits: sorted.length > 1000 ? bits : null };
  return { word, expansions: [], completions: { from: 0, to: 0 }, sequences: [], ...merged };
}

/** Words from rare to frequent, as a search orders them; impacts as a hash of word and unit. */
const words = fc
  .array(fc.record({ size: fc.constantFrom(1, 20, 300, 1500, 3900), seed: fc.nat(1000) }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((list) =>
    list
      .sort((a, b) => a.size - b.size)
      .map(({ size, seed }) => {
        const units = Array.from({ length: size }, (_, at) => (at * 7919 + seed * 104_729) % UNITS);
        return matchesOf(units, (unit) => 1 + ((Math.imul(unit + seed, 2_654_435_761) >>> 8) % 254));
      }),
  );

function sourcesOf(list: readonly WordMatches[]) {
  const rarities = list.map(({ units }) => rarity(units.length, UNITS));
  const sources = list.map((matches, word): Source => ({ matches, word, weight: word % 2 ? 0.7 : 1 }));
  // The first two words, also written as one, after the words themselves.
  const joined = list.length > 1 ? [0, 1].map((word) => ({ matches: list[0]!, word, weight: 0.9 })) : [];
  return { sources: [...sources, ...joined], rarities };
}

const copy = ({ units, scores, masks, total }: ReturnType<typeof accumulate>) => ({
  units: [...units],
  scores: [...scores],
  masks: [...masks],
  total,
});

test("1. everything", () => {
  fc.assert(
    fc.property(words, (list) => {
      const { sources, rarities } = sourcesOf(list);
      const sums = new Map<number, { mask: number; sum: number }>();
      for (const { matches, word, weight } of sources) {
        matches.units.forEach((unit, at) => {
          const known = sums.get(unit) ?? { mask: 0, sum: 0 };
          sums.set(unit, known);
          if (known.mask & (1 << word)) return;
          known.mask |= 1 << word;
          known.sum += (matches.scores[at]! * weight * rarities[word]!) / 255;
        });
      }
      const found = copy(accumulate(index, { sources, rarities, needed: null }));
      expect(found.units).toEqual([...sums.keys()].sort((a, b) => a - b));
      expect(found.total).toBe(sums.size);
      const whole = rarities.reduce((sum, one) => sum + one, 0);
      expect(found.masks).toEqual(found.units.map((unit) => sums.get(unit)!.mask));
      const off = found.units.filter((unit, at) => {
        const { mask, sum } = sums.get(unit)!;
        const part = rarities.reduce((all, one, word) => all + (mask & (1 << word) ? one : 0), 0);
        return Math.abs(found.scores[at]! - sum * (part / whole) ** 2) > 1e-4;
      });
      expect(off).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

test("2. the best", () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 200 }), (list, needed) => {
      const { sources, rarities } = sourcesOf(list);
      const bestOf = ({ units, scores, masks, total }: ReturnType<typeof copy>) => {
        const best = selectHighest(Float32Array.from(scores), scores.length, needed);
        return { total, hits: best.map((at) => [units[at], scores[at], masks[at]]) };
      };
      const all = copy(accumulate(index, { sources, rarities, needed: null }));
      expect(bestOf(copy(accumulate(index, { sources, rarities, needed: needed })))).toEqual(bestOf(all));
      expect(copy(accumulate(index, { sources, rarities, needed: null }))).toEqual(all);
    }),
    { numRuns: 100 },
  );
});

test("3. frequent words are only counted", () => {
  const rare = matchesOf(
    Array.from({ length: 50 }, (_, at) => at * 3),
    () => 200,
  );
  const frequent = matchesOf(
    Array.from({ length: 3500 }, (_, at) => at),
    () => 250,
  );
  const { sources, rarities } = sourcesOf([rare, frequent]);
  const found = accumulate(index, { sources, rarities, needed: 10 });
  expect(found.units.length).toBeLessThanOrEqual(50);
  expect(found.total).toBe(3500);
  expect(accumulate(index, { sources, rarities, needed: 60 }).units).toHaveLength(3500);
});

test("4. helpers", () => {
  fc.assert(
    fc.property(words, fc.nat(6), fc.option(fc.integer({ min: 1, max: 200 })), (list, at, needed) => {
      const { sources, rarities } = sourcesOf(list);
      const split = (isHelper: boolean) => sources.filter(({ word }) => word >= at === isHelper);
      const all = copy(accumulate(index, { sources, rarities, needed: null }));
      const finding = split(false).reduce((mask, { word }) => mask | (1 << word), 0);
      const kept = [...all.units.keys()].filter((position) => all.masks[position]! & finding);
      const found = copy(
        accumulate(index, { sources: split(false), helpers: split(true), rarities, needed }),
      );
      expect(found.total).toBe(kept.length);
      const highest = (scores: number[]) =>
        [...scores].sort((a, b) => b - a).slice(0, needed ?? scores.length);
      const wanted = highest(kept.map((position) => all.scores[position]!));
      const came = highest(found.scores);
      const off = wanted.filter((score, rank) => Math.abs(score - came[rank]!) > 1e-4);
      expect(off).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test("5. nothing left", () => {
  expect(copy(accumulate(index, { sources: [], rarities: [], needed: 10 }))).toEqual({
    units: [],
    scores: [],
    masks: [],
    total: 0,
  });
});
