/*
 * 1. A row whose first cell is the identifier is 1; with other words in the cell it is less.
 * 2. Only identifiers are looked up this way, and only in first cells.
 */
import { expect, test } from "vitest";
import { Field } from "../contract/unit-fields.ts";
import { definitionRule } from "./definition.ts";
import { matchOf } from "../testing/match.ts";

const score = (text: string, field: number, isIdentifier = true) =>
  definitionRule.score(matchOf("save tag", [{ text, field }], { isIdentifier }));

test("1. rows", () => {
  expect(score("save tag", Field.term)).toBe(1);
  expect(score("save tag name", Field.term)).toBeCloseTo(2 / 3);
  expect(score("save", Field.term)).toBeLessThan(1);
});

test("2. nothing else", () => {
  expect(score("save tag", Field.term, false)).toBe(0);
  expect(score("save tag", Field.text)).toBe(0);
  expect(score("save tag", Field.heading)).toBe(0);
});
