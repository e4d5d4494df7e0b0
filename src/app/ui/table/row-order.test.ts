/**
 * 1. The address names an order by a column's key, `-` for descending; anything else is the fallback; parsing and writing agree.
 * 2. Sorting by ranks equals sorting by values with a slow and obvious sort: numbers by size, times by time, words as
 *    people order them; rows without a value last in both directions, equal ones in their original order.
 * 3. On the first press, newest and highest come first, names from A.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { describeOrders, orderText, parseOrder, rankRows } from "./row-order.ts";

const fallback = { key: "count", isDescending: true };

test("1. orders in the address", () => {
  const parse = (value: string | null) => parseOrder(value, ["count", "name"], fallback);
  expect(parse("-name")).toEqual({ key: "name", isDescending: true });
  expect(parse("name")).toEqual({ key: "name", isDescending: false });
  for (const wrong of [null, "", "-", "secret", "-count; drop", "--name"])
    expect(parse(wrong)).toEqual(fallback);
  for (const isDescending of [true, false]) {
    const order = { key: "name", isDescending };
    expect(parse(orderText(order))).toEqual(order);
  }
});

type Value = string | number | null;

/** Same as the table: by rank, negated for descending, then by index. */
function sortByRank(values: readonly Value[], isDescending: boolean): Value[] {
  const ranks = rankRows(values, isDescending);
  const sign = isDescending ? -1 : 1;
  return values
    .map((value, index) => ({ value, index }))
    .sort((a, b) => sign * ((ranks[a.index] ?? 0) - (ranks[b.index] ?? 0)) || a.index - b.index)
    .map(({ value }) => value);
}

const isNothing = (value: Value) => value === null || value === "" || Number.isNaN(value);

/** Repeatedly takes the first of those that nothing precedes. */
function sortSlowly(values: readonly Value[], isDescending: boolean): Value[] {
  const precedes = (a: Value, b: Value) => {
    if (isNothing(a) || isNothing(b)) return !isNothing(a) && isNothing(b);
    const difference =
      typeof a === "number" && typeof b === "number"
        ? a - b
        : typeof a === typeof b
          ? String(a).localeCompare(String(b), "en", { numeric: true })
          : typeof a === "number"
            ? -1
            : 1;
    return isDescending ? difference > 0 : difference < 0;
  };
  const left = [...values];
  const sorted: Value[] = [];
  while (left.length > 0) {
    const index = left.findIndex((value) => !left.some((other) => precedes(other, value)));
    sorted.push(...left.splice(index, 1));
  }
  return sorted;
}

test("2. ranks beside a slow sort", () => {
  const value = fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.double(),
    fc.constantFrom<Value>(null, "", "web-2", "web-10", "Web", "b", "é", "E"),
    fc.string({ maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(value, { maxLength: 12 }), fc.boolean(), (values, isDescending) => {
      expect(sortByRank(values, isDescending)).toEqual(sortSlowly(values, isDescending));
    }),
  );
  const times = ["2026-11-20T14:32:00Z", "2026-11-20T14:32:00.5Z", "2026-11-20T15:00:00+02:00", ""];
  expect(sortByRank(times, false)).toEqual([times[2], times[0], times[1], ""]);
  expect(sortByRank(["web-10", null, "web-2"], true)).toEqual(["web-10", "web-2", null]);
});

test("3. which direction comes first", () => {
  expect(describeOrders([null, 4])).toMatchObject({ first: true, descending: "highest first" });
  expect(describeOrders(["", "2026-11-20T14:32:00Z"])).toMatchObject({
    first: true,
    descending: "newest first",
  });
  expect(describeOrders(["ada"])).toMatchObject({ first: false, ascending: "A to Z" });
  expect(describeOrders([])).toMatchObject({ first: false });
});
