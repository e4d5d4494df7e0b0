/**
 * 1. Numbers before texts, texts without case, nothing last: in both directions.
 * 2. With several values the smallest counts ascending, the greatest descending; rules apply one after the
 *    other.
 * 3. The order is consistent: any list sorted by it is sorted (property).
 * 4. Distances of `_geoPoint` are metres, ascending and descending, without a point last.
 * 5. Mistakes are `invalid_search_sort`; a ranking rule may name any attribute.
 * 6. Distinct: equal texts are one group, documents without a value stand alone.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { distanceInMetres } from "../geo/points.ts";
import { testIndex } from "../testing/filtered-index.ts";
import type { SearchDocument } from "../contract/types.ts";
import { compileSort } from "./compile-sort.ts";
import { compileDistinct } from "./distinct.ts";

const documents: SearchDocument[] = [
  { n: 3, name: "b", list: [5, 1] },
  { n: -1, name: "B", list: [2] },
  { n: "x", name: "a", list: [3, 4] },
  { n: null, name: "C" },
  { name: "" },
];
const sortable = { sortableAttributes: ["n", "name", "list", "x", "_geo"] };

function order(rules: string[], some = documents, options = {}): number[] {
  const { compare } = compileSort(testIndex(some, sortable), rules, options);
  return some.map((_, id) => id).sort((a, b) => compare(a, b) || a - b);
}

test("1. types and directions", () => {
  expect(order(["n:asc"])).toEqual([1, 0, 2, 3, 4]);
  expect(order(["n:desc"])).toEqual([0, 1, 2, 3, 4]);
  expect(order(["name:asc"])).toEqual([4, 2, 0, 1, 3]);
  expect(order(["name:desc"])).toEqual([3, 0, 1, 2, 4]);
});

test("2. several values, several rules", () => {
  expect(order(["list:asc"]).slice(0, 3)).toEqual([0, 1, 2]);
  expect(order(["list:desc"]).slice(0, 3)).toEqual([0, 2, 1]);
  expect(order(["name:asc", "n:asc"])).toEqual([4, 2, 1, 0, 3]);
});

test("3. consistent", () => {
  const value = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom("a", "A", "b", null));
  fc.assert(
    fc.property(fc.array(value, { minLength: 2 }), fc.constantFrom("asc", "desc"), (values, direction) => {
      const some = values.map((x) => ({ x }));
      const { compare } = compileSort(testIndex(some, sortable), [`x:${direction}`]);
      const sorted = some.map((_, id) => id).sort(compare);
      for (let at = 0; at + 1 < sorted.length; at++) {
        expect(compare(sorted[at]!, sorted[at + 1]!)).toBeLessThanOrEqual(0);
        expect(Math.sign(compare(sorted[at]!, sorted[at + 1]!))).toBe(
          -Math.sign(compare(sorted[at + 1]!, sorted[at]!)) || 0,
        );
      }
    }),
  );
});

test("4. geo", () => {
  const cities: SearchDocument[] = [
    { _geo: { lat: 51.5074, lng: -0.1278 } },
    {},
    { _geo: { lat: 48.8566, lng: 2.3522 } },
    { _geo: { lat: 40.7128, lng: -74.006 } },
  ];
  expect(order(["_geoPoint(48.8, 2.3):asc"], cities)).toEqual([2, 0, 3, 1]);
  expect(order(["_geoPoint( 48.8,2.3 ):desc"], cities)).toEqual([3, 0, 2, 1]);
  const { distance } = compileSort(testIndex(cities, sortable), ["_geoPoint(48.8566, 2.3522):asc"]);
  // London to Paris is about 343.5 km along the great circle.
  expect(distance!(0)! / 1000).toBeCloseTo(343.5, 0);
  expect(distance!(2)).toBe(0);
  expect(distance!(1)).toBeNull();
  expect(
    distanceInMetres({ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 }) / 1000,
  ).toBeCloseTo(111.2, 1);
});

test("5. mistakes", () => {
  expect(() => order(["n"])).toThrow("expected expression ending by `:asc` or `:desc`, found `n`.");
  expect(() => order(["secret:asc"])).toThrow(
    "Attribute `secret` is not sortable. Available sortable attributes are: `n`,",
  );
  expect(() => order(["_geo:asc"])).toThrow("`_geo` is a reserved keyword");
  expect(() => order(["_geoPoint(1):asc"])).toThrow("_geoPoint(latitude, longitude)");
  expect(() => order(["_geoPoint(99, 0):asc"])).toThrow("_geoPoint(latitude, longitude)");
  expect(order(["secret:asc"], documents, { isRankingRule: true })).toEqual([0, 1, 2, 3, 4]);
});

test("6. distinct", () => {
  const index = testIndex(documents, { filterableAttributes: ["name"], distinctAttribute: "n" });
  const key = compileDistinct(index, "name");
  expect(key(0)).toBe(key(1));
  expect(key(0)).not.toBe(key(2));
  expect(compileDistinct(index, "n")(3)).toBeNull();
  expect(() => compileDistinct(index, "list")).toThrow("cannot be used as distinct attribute");
});
