/**
 * 1. The address names an order by a column's key, `-` for descending; anything else is the default, and both ways agree.
 * 2. Rows are sorted by number or by name; those without a value are last in both directions, equal ones keep their order.
 * 3. The filter wants every word, in either case, and takes regular expressions' characters as they are.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { filterRows, orderText, parseOrder, sortRows } from "./table-rows.ts";

const fallback = { key: "count", isDescending: true };

test("1. orders in the address", () => {
  const parse = (value: string | null) => parseOrder(value, ["count", "name"], fallback);
  expect(parse("-name")).toEqual({ key: "name", isDescending: true });
  expect(parse("name")).toEqual({ key: "name", isDescending: false });
  for (const wrong of [null, "", "-", "secret", "-count; drop"]) expect(parse(wrong)).toEqual(fallback);
  expect(parse(orderText({ key: "name", isDescending: true }))).toEqual({ key: "name", isDescending: true });
});

interface Row {
  name: string;
  value: number | null;
}
const columns = [
  { key: "name", sortValue: (row: Row) => row.name },
  { key: "value", sortValue: (row: Row) => row.value },
  { key: "action" },
];
const rows: Row[] = [
  { name: "b", value: 2 },
  { name: "a", value: null },
  { name: "C", value: 2 },
  { name: "d", value: 10 },
];
const sorted = (key: string, isDescending: boolean) =>
  sortRows(rows, columns, { key, isDescending })
    .map((row) => row.name)
    .join("");

test("2. sorting", () => {
  expect(sorted("value", true)).toBe("dbCa");
  expect(sorted("value", false)).toBe("bCda");
  expect(sorted("name", false)).toBe("abCd");
  expect(sorted("action", false)).toBe("baCd");
  fc.assert(
    fc.property(fc.array(fc.integer()), (values) => {
      const list = values.map((value) => ({ name: "", value }));
      const order = { key: "value", isDescending: false };
      expect(sortRows(list, columns, order).map((row) => row.value)).toEqual(
        values.toSorted((a, b) => a - b),
      );
    }),
  );
});

test("3. filtering", () => {
  const found = (filter: string) => filterRows(["Layer cache (*)", "turbo"], (row) => row, filter);
  expect(found("CACHE layer")).toEqual(["Layer cache (*)"]);
  expect(found("cache turbo")).toEqual([]);
  expect(found("(*")).toEqual(["Layer cache (*)"]);
  expect(found("  ")).toHaveLength(2);
});
