/**
 * 1. Each operator passes the documents that its description names, on values of every type.
 * 2. Any filter gives what a scan of every document gives (naive oracle).
 * 3. An attribute that is not filterable is refused with its place and the attributes that would do.
 * 4. Geo filters: radius and box, boxes over the 180th meridian, documents without a point.
 * 5. A column is asked for anything a filter can name without an error: attributes that no document has.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, SearchDocument } from "../contract/types.ts";
import { evaluateFilter } from "./evaluate.ts";
import { testIndex, valuesAt } from "../testing/filtered-index.ts";

const documents: SearchDocument[] = [
  { title: "Docker Build", year: 2020, tags: ["ci", "Cache"], draft: false, version: "1.2.0" },
  { title: "docker build", year: 2021.5, tags: [], draft: true, author: { name: "Ann" } },
  { title: "Café", year: null, tags: ["ci", 7], version: "1.10.0", author: { name: "Bo" } },
  { title: "", year: "2021", _geo: { lat: 48.8566, lng: 2.3522 } },
  { other: 1, _geo: { lat: -17.7, lng: 178.1 }, tags: null },
  { title: "Ｆｕｌｌ width", _geo: { lat: -17.7, lng: -179.9 }, year: -1 },
];

const index = testIndex(documents, { filterableAttributes: ["*"] });

function passing(filter: Parameters<typeof evaluateFilter>[1]): number[] {
  const set = evaluateFilter(index, filter);
  return documents.flatMap((_, id) => (!set || set[id] === 1 ? [id] : []));
}

describe("1. operators", () => {
  test.each<[string, number[]]>([
    ["title = 'docker build'", [0, 1]],
    ["title = CAFÉ", [2]],
    ["title = cafe", []],
    ["title = 'full width'", [5]],
    ["year = 2020.0", [0]],
    ["year = 2021", [3]],
    ["title != 'docker build'", [2, 3, 4, 5]],
    ["draft = true", [1]],
    ["tags = cache", [0]],
    ["tags = 7", [2]],
    ["year > 2020", [1, 3]],
    ["year >= 2020", [0, 1, 3]],
    ["year < 0", [5]],
    ["year -5 TO 2020", [0, 5]],
    ["version >= 1.2.0", [0]],
    ["tags IN [ci, nothing]", [0, 2]],
    ["tags NOT IN [ci]", [1, 3, 4, 5]],
    ["tags EXISTS", [0, 1, 2, 4]],
    ["tags NOT EXISTS", [3, 5]],
    ["year IS NULL", [2]],
    ["tags IS NULL", [4]],
    ["title IS EMPTY", [3]],
    ["tags IS EMPTY", [1]],
    ["tags IS NOT EMPTY", [0, 2, 3, 4, 5]],
    ["title CONTAINS ocker", [0, 1]],
    ["title STARTS WITH doc", [0, 1]],
    ["title NOT STARTS WITH doc", [2, 3, 4, 5]],
    ["author.name = ann", [1]],
    ["author EXISTS", [1, 2]],
    ["title = café OR draft = true AND year > 3", [1, 2]],
  ])("%s", (filter, ids) => expect(passing(filter)).toEqual(ids.toSorted((a, b) => a - b)));

  test("arrays and nothing", () => {
    expect(passing([["year = 2020", "title = café"], "tags = ci"])).toEqual([0, 2]);
    expect(passing("")).toEqual([0, 1, 2, 3, 4, 5]);
    expect(evaluateFilter(index, [])).toBeNull();
  });
});

const scalar = fc.oneof(
  fc.constantFrom("a", "A", "b c", "10", "é", "", true, null),
  fc.integer({ min: -3, max: 12 }),
);
const value: fc.Arbitrary<Json> = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }));
const someDocuments = fc.array(fc.dictionary(fc.constantFrom("x", "y"), value), {
  minLength: 1,
  maxLength: 8,
});
const literal = fc.constantFrom("a", "B C", "10", "é", "-1", "3", "true");

type Oracle = (values: Json[]) => boolean;
const condition: fc.Arbitrary<[string, (document: SearchDocument) => boolean]> = fc
  .tuple(fc.constantFrom("x", "y"), fc.constantFrom("=", "!=", ">", "<=", "CONTAINS", "STARTS WITH"), literal)
  .map(([attribute, operator, text]) => [
    `${attribute} ${operator} "${text}"`,
    (document) => oracles[operator]!(text)(valuesAt(document, attribute).flat(1)),
  ]);
const stateCondition: typeof condition = fc
  .tuple(fc.constantFrom("x", "y"), fc.constantFrom("EXISTS", "IS NULL", "IS EMPTY"))
  .map(([attribute, operator]) => [
    `${attribute} ${operator}`,
    (document) => {
      const own = document[attribute];
      if (operator === "EXISTS") return own !== undefined;
      return operator === "IS NULL" ? own === null : own === "" || (Array.isArray(own) && own.length === 0);
    },
  ]);

const fold = (value: Json) => String(value).trim().normalize("NFKD").toLowerCase();
const isScalar = (value: Json) => value !== null && typeof value !== "object";
const anyOf =
  (test: (value: Json) => boolean): Oracle =>
  (values) =>
    values.filter(isScalar).some(test);
const equals = (text: string) =>
  anyOf((value) => fold(value) === fold(text) || (typeof value === "number" && value === Number(text)));
const ordered = (test: (order: number) => boolean) => (text: string) =>
  anyOf((value) => {
    if (typeof value === "number") return !Number.isNaN(Number(text)) && test(value - Number(text));
    return test(fold(value) < fold(text) ? -1 : fold(value) > fold(text) ? 1 : 0);
  });
const oracles: { [operator: string]: (text: string) => Oracle } = {
  "=": equals,
  "!=": (text) => (values) => !equals(text)(values),
  ">": ordered((order) => order > 0),
  "<=": ordered((order) => order <= 0),
  CONTAINS: (text) => anyOf((value) => fold(value).includes(fold(text))),
  "STARTS WITH": (text) => anyOf((value) => fold(value).startsWith(fold(text))),
};

const { tree } = fc.letrec<{ tree: [string, (document: SearchDocument) => boolean] }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    condition,
    stateCondition,
    fc
      .tuple(tie("tree"), tie("tree"))
      .map(([a, b]): [string, (document: SearchDocument) => boolean] => [
        `(${a[0]} AND ${b[0]})`,
        (document) => a[1](document) && b[1](document),
      ]),
    fc
      .tuple(tie("tree"), tie("tree"))
      .map(([a, b]): [string, (document: SearchDocument) => boolean] => [
        `(${a[0]} OR ${b[0]})`,
        (document) => a[1](document) || b[1](document),
      ]),
    tie("tree").map((a): [string, (document: SearchDocument) => boolean] => [
      `NOT (${a[0]})`,
      (document) => !a[1](document),
    ]),
  ),
}));

test("2. any filter equals a scan", () => {
  fc.assert(
    fc.property(someDocuments, tree, (some, [text, isPassing]) => {
      const set = evaluateFilter(testIndex(some, { filterableAttributes: ["x", "y"] }), text)!;
      expect(Array.from(set, Boolean)).toEqual(some.map((document) => isPassing(document)));
    }),
    { numRuns: 600 },
  );
}, 30_000);

test("3. not filterable", () => {
  const closed = testIndex(documents, { filterableAttributes: ["title", "author.*"] });
  expect(() => evaluateFilter(closed, "title = a AND year > 1")).toThrow(
    "Attribute `year` is not filterable. Available filterable attribute patterns are: `title`, `author.*`.\n15:19 title = a AND year > 1",
  );
  expect(() => evaluateFilter(testIndex([]), "a = 1")).toThrow(
    "does not have configured filterable attributes",
  );
  expect(() => evaluateFilter(closed, "_geoRadius(1, 1, 1)")).toThrow("`_geo` is not filterable");
  expect(evaluateFilter(closed, "author.name = bo")).toEqual(Uint8Array.of(0, 0, 1, 0, 0, 0));
});

describe("4. geo", () => {
  test.each<[string, number[]]>([
    ["_geoRadius(48.8566, 2.3522, 0)", [3]],
    ["_geoRadius(51.5074, -0.1278, 350000)", [3]],
    ["_geoRadius(51.5074, -0.1278, 340000)", []],
    ["_geoBoundingBox([49, 3], [48, 2])", [3]],
    ["_geoBoundingBox([-17, -179], [-18, 178])", [4, 5]],
    ["NOT _geoBoundingBox([-17, -179], [-18, 178])", [0, 1, 2, 3]],
  ])("%s", (filter, ids) => expect(passing(filter)).toEqual(ids));
});

test("5. attributes that no document has", () => {
  for (const filter of ["zzz = 1", "zzz EXISTS", "zzz IS NULL", "zzz 1 TO 2"])
    expect(passing(filter)).toEqual([]);
  expect(passing("zzz != 1")).toEqual([0, 1, 2, 3, 4, 5]);
});
