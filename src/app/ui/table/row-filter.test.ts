/**
 * 1. A row is shown when its text contains every word of the search, in either case, and segment and chips accept it: the
 *    same rows as when each condition filters the result of the previous ones.
 * 2. Unknown segments, chips of no filter and white space remove no rows; characters of regular expressions are letters.
 * 3. The named condition is the obstructing one whose removal brings most rows back, with their number.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Conditions,
  countMatches,
  createMatcher,
  findObstacle,
  indexTexts,
  listObstacles,
} from "./row-filter.ts";

interface Row {
  name: string;
  by: string;
  isFailed: boolean;
}

const segments = [
  { key: "all", label: "All", has: () => true },
  { key: "failed", label: "Failed", has: (row: Row) => row.isFailed },
];
const filters = [
  {
    key: "by",
    label: "By",
    options: [{ value: "ben", label: "Ben Kowalski" }],
    has: (row: Row, value: string) => row.by === value,
  },
];
const inputOf = (rows: readonly Row[]) => ({
  rows,
  texts: indexTexts(rows, ({ name, by }) => `${name} ${by}`),
  segments,
  filters,
});
const where = (part: Partial<Conditions>): Conditions => ({
  text: "",
  segment: "",
  values: new Map(),
  ...part,
});
const found = (rows: readonly Row[], conditions: Conditions) => {
  const matches = createMatcher(inputOf(rows), conditions);
  return rows.filter((_row, index) => matches(index));
};

const name = fc.constantFrom("Layer cache (*)", "turbo", "İstanbul", "web api", "a.b", "");
const row = fc.record({ name, by: fc.constantFrom("ada", "ben"), isFailed: fc.boolean() });

test("1. beside one condition after the other", () => {
  const text = fc.constantFrom("", " ", "CACHE layer", "cache turbo", "(*", "a.b", ".*", "be");
  fc.assert(
    fc.property(
      fc.array(row),
      fc.record({
        text,
        segment: fc.constantFrom("", "failed"),
        by: fc.option(fc.constantFrom("ada", "ben")),
      }),
      (rows, { text, segment, by }) => {
        const conditions = where({ text, segment, values: new Map(by === null ? [] : [["by", by]]) });
        let expected = rows;
        for (const word of text.toLowerCase().split(" "))
          expected = expected.filter((each) => `${each.name} ${each.by}`.toLowerCase().includes(word));
        if (segment === "failed") expected = expected.filter(({ isFailed }) => isFailed);
        if (by !== null) expected = expected.filter((each) => each.by === by);
        expect(found(rows, conditions)).toEqual(expected);
        expect(countMatches(inputOf(rows), conditions)).toBe(expected.length);
      },
    ),
  );
});

const ROWS: Row[] = [
  { name: "web", by: "ada", isFailed: true },
  { name: "api", by: "ben", isFailed: false },
  { name: "worker", by: "ada", isFailed: true },
];

test("2. what is not a condition", () => {
  for (const conditions of [
    where({}),
    where({ text: "  " }),
    where({ segment: "no such" }),
    where({ values: new Map([["gone", "x"]]) }),
  ])
    expect(found(ROWS, conditions)).toEqual(ROWS);
  expect(listObstacles({ segments, filters }, where({ segment: "all", text: " " }))).toEqual([]);
});

test("3. the condition in the way", () => {
  const conditions = where({ segment: "failed", values: new Map([["by", "ben"]]) });
  expect(found(ROWS, conditions)).toEqual([]);
  expect(listObstacles({ segments, filters }, conditions).map(({ label }) => label)).toEqual([
    "Failed",
    "By Ben Kowalski",
  ]);
  expect(findObstacle(inputOf(ROWS), conditions)).toMatchObject({
    label: "By Ben Kowalski",
    count: 2,
    without: where({ segment: "failed" }),
  });
  expect(findObstacle(inputOf(ROWS), where({ text: "nowhere", segment: "failed" }))).toMatchObject({
    label: "nowhere",
    count: 2,
  });
});
