/*
 * For every rule:
 *  1. The score is a number from 0 to 1, whatever matched, and depends on nothing but the match.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { completeRule } from "./complete.ts";
import { definitionRule } from "./definition.ts";
import { firstScoreRule } from "./first-score.ts";
import { proximityRule } from "./proximity.ts";
import { matchOf } from "../testing/match.ts";
import { titleRule } from "./title.ts";

const rules = [definitionRule, completeRule, firstScoreRule, proximityRule, titleRule];
const word = fc.constantFrom("a", "b", "c", "x", "a~1", "b~2");
const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));
const block = fc.record({ text, field: fc.integer({ min: 0, max: 7 }) });
const query = fc.constantFrom("a", "b a", "a b c", "c c");
const match = fc
  .tuple(query, fc.array(block, { maxLength: 5 }), fc.boolean())
  .map(([asked, blocks, isIdentifier]) => matchOf(asked, blocks, { isIdentifier }));

test.for(rules)("1. $name", (rule) => {
  fc.assert(
    fc.property(match, (one) => {
      const score = rule.score(one);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1 + 1e-9);
      expect(rule.score(structuredClone(one))).toBe(score);
    }),
  );
});
