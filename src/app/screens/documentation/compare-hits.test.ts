/**
 * 1. After a change: new hits, and by how many places the others moved; before it: hits that are gone. Unmoved hits have no mark.
 * 2. Two hits with the same address are distinguished by their order.
 */
import { expect, test } from "vitest";
import { compareHits } from "./compare-hits.ts";

const hits = (text: string) => [...text].map((path) => ({ path, trail: path }));
const marks = (before: string, after: string) => {
  const compared = compareHits(hits(before), hits(after));
  return [compared.before.map(({ mark }) => mark), compared.after.map(({ mark }) => mark)];
};

test("1. moves", () => {
  expect(marks("abc", "dacb")).toEqual([
    ["", "", ""],
    ["new", "down 1", "", "down 2"],
  ]);
  expect(marks("abc", "ca")).toEqual([
    ["", "gone", ""],
    ["up 2", "down 1"],
  ]);
  expect(marks("", "a")).toEqual([[], ["new"]]);
  expect(marks("ab", "ab")).toEqual([
    ["", ""],
    ["", ""],
  ]);
});

test("2. one address twice", () => {
  expect(marks("aab", "aba")).toEqual([
    ["", "", ""],
    ["", "up 1", "down 1"],
  ]);
});
