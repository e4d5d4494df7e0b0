/*
 * 1. A polygon finds every shape with any part inside, and nothing else; a hole is not inside.
 * 2. Circles and boxes find shapes as they find points, `_geo` and `_geojson` together.
 * 3. Shapes and areas across the 180th meridian.
 * 4. Points in a polygon, against counting turns around each point.
 * 5. A value that is not GeoJSON, is nested too deep or has too many vertices is found by nothing and breaks nothing.
 * 6. Mistakes are named: fewer than three corners, too many, a latitude beyond the pole, an attribute that is not filterable.
 */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_GEO_DEPTH, MAX_GEO_VERTICES, MAX_POLYGON_VERTICES } from "../contract/limits.ts";
import { buildIndex, openIndex, search, type Json, type SearchDocument } from "../index.ts";

function open(shapes: Json[], filterable = ["_geo", "_geojson"]) {
  const documents = shapes.map((_geojson, id): SearchDocument => ({ id, _geojson }));
  return openIndex(buildIndex(documents, { primaryKey: "id", filterableAttributes: filterable }));
}
const idsOf = (shapes: Json[], filter: string) =>
  search(open(shapes), { q: "", filter, limit: 100 }).hits.map(({ id }) => id);

const point = (longitude: number, latitude: number): Json => ({
  type: "Point",
  coordinates: [longitude, latitude],
});
const square = (west: number, south: number, size: number): Json[] => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];
const polygon = (...rings: Json[][]): Json => ({ type: "Polygon", coordinates: rings });

// Corners at 0 and 10 degrees.
const area = "_geoPolygon([0, 0], [0, 10], [10, 10], [10, 0])";

test("1. polygons", () => {
  const shapes: Json[] = [
    point(5, 5),
    point(15, 5),
    {
      type: "LineString",
      coordinates: [
        [-5, 5],
        [15, 5],
      ],
    },
    {
      type: "LineString",
      coordinates: [
        [-5, -5],
        [15, -5],
      ],
    },
    polygon(square(-20, -20, 60)),
    polygon(square(-20, -20, 60), square(-10, -10, 40)),
    {
      type: "MultiPoint",
      coordinates: [
        [50, 50],
        [1, 1],
      ],
    },
    { type: "MultiPolygon", coordinates: [[square(40, 40, 5)], [square(8, 8, 5)]] },
    { type: "GeometryCollection", geometries: [point(40, 40), point(2, 2)] },
    { type: "Feature", properties: {}, geometry: point(3, 3) },
    { type: "FeatureCollection", features: [{ type: "Feature", geometry: point(30, 3) }] },
  ];
  expect(idsOf(shapes, area)).toEqual([0, 2, 4, 6, 7, 8, 9]);
  expect(idsOf(shapes, `NOT ${area}`)).toEqual([1, 3, 5, 10]);
});

test("2. circles and boxes", () => {
  const documents: SearchDocument[] = [
    { id: 0, _geo: { lat: 0, lng: 0.5 } },
    { id: 1, _geojson: point(0.5, 0) },
    {
      id: 2,
      _geojson: {
        type: "LineString",
        coordinates: [
          [0.9, -50],
          [0.9, 50],
        ],
      },
    },
    { id: 3, _geojson: polygon(square(-5, -5, 10)) },
    { id: 4, _geojson: polygon(square(-5, -5, 10), square(-4, -4, 8)) },
  ];
  const find = (filter: string, filterable: string[]) =>
    search(openIndex(buildIndex(documents, { primaryKey: "id", filterableAttributes: filterable })), {
      q: "",
      filter,
    }).hits.map(({ id }) => id);
  const both = ["_geo", "_geojson"];
  expect(find("_geoRadius(0, 0, 60000)", both)).toEqual([0, 1, 3]);
  expect(find("_geoRadius(0, 0, 110000)", both)).toEqual([0, 1, 2, 3]);
  expect(find("_geoBoundingBox([1, 1], [-1, -1])", both)).toEqual([0, 1, 2, 3]);
  expect(find("_geoBoundingBox([1, 1], [-1, -1])", ["_geo"])).toEqual([0]);
  expect(find("_geoBoundingBox([1, 1], [-1, -1])", ["_geojson"])).toEqual([1, 2, 3]);
});

test("3. across the 180th meridian", () => {
  const shapes = [
    point(179.5, 0),
    point(-179.5, 0),
    point(0, 0),
    {
      type: "LineString",
      coordinates: [
        [178, -5],
        [-178, 5],
      ],
    },
    polygon([
      [179, -1],
      [-179, -1],
      [-179, 1],
      [179, 1],
      [179, -1],
    ]),
  ];
  const across = [0, 1, 3, 4];
  expect(idsOf(shapes, "_geoPolygon([-2, 179], [-2, -179], [2, -179], [2, 179])")).toEqual(across);
  expect(idsOf(shapes, "_geoBoundingBox([2, -179], [-2, 179])")).toEqual(across);
  expect(idsOf(shapes, "_geoRadius(0, 180, 60000)")).toEqual(across);
});

test("4. points, against turns", () => {
  const degree = fc.integer({ min: -20, max: 20 });
  const corners = fc.array(fc.tuple(degree, degree), { minLength: 3, maxLength: 8 });
  // On no edge between whole degrees.
  const points = fc.tuple(degree, degree).map(([x, y]) => [x + 0.001, y + 0.0301] as const);
  fc.assert(
    fc.property(corners, fc.array(points, { minLength: 1, maxLength: 20 }), (ring, asked) => {
      const filter = `_geoPolygon(${ring.map(([x, y]) => `[${y}, ${x}]`).join(", ")})`;
      const inside = asked.flatMap(([x, y], id) => {
        const angles = ring.map(([cx, cy]) => Math.atan2(cy - y, cx - x));
        const steps = angles.map((angle, at) => {
          const step = angles[(at + 1) % angles.length]! - angle;
          return step > Math.PI ? step - 2 * Math.PI : step < -Math.PI ? step + 2 * Math.PI : step;
        });
        const turns = Math.round(steps.reduce((sum, step) => sum + step, 0) / (2 * Math.PI));
        // A ring that goes around twice is left out of the comparison: inside and outside are a matter of taste there.
        return Math.abs(turns) > 1 ? [] : turns === 0 ? [] : [id];
      });
      const found = idsOf(
        asked.map(([x, y]) => point(x, y)),
        filter,
      );
      fc.pre(isSimple(ring));
      expect(found).toEqual(inside);
    }),
  );
});

/** No two edges meet but at their ends. */
function isSimple(ring: (readonly [number, number])[]): boolean {
  const side = (a: readonly number[], b: readonly number[], c: readonly number[]) =>
    Math.sign((b[0]! - a[0]!) * (c[1]! - a[1]!) - (b[1]! - a[1]!) * (c[0]! - a[0]!));
  const edges = ring.map((corner, at) => [corner, ring[(at + 1) % ring.length]!] as const);
  return edges.every(([a, b], first) =>
    edges.every(([c, d], second) => {
      const gap = Math.abs(first - second);
      if (gap <= 1 || gap === edges.length - 1)
        return gap === 0 || side(a, b, gap === 1 && second > first ? d : c) !== 0 || side(a, b, d) !== 0;
      return side(a, b, c) * side(a, b, d) > 0 || side(c, d, a) * side(c, d, b) > 0;
    }),
  );
}

test("5. what is not a shape", () => {
  const nested = Array.from({ length: MAX_GEO_DEPTH + 2 }).reduce<Json>(
    (inner) => ({ type: "GeometryCollection", geometries: [inner] }),
    point(5, 5),
  );
  const many = {
    type: "LineString",
    coordinates: Array.from({ length: MAX_GEO_VERTICES + 1 }, () => [5, 5]),
  };
  const wrong: Json[] = [
    null,
    "x",
    [],
    {},
    { type: "Point" },
    { type: "Point", coordinates: ["5", "5"] },
    { type: "Point", coordinates: [5, 91] },
    { type: "Polygon", coordinates: [] },
    { type: "Polygon", coordinates: [[]] },
    { type: "Circle", coordinates: [5, 5] },
    nested,
    many,
  ];
  expect(idsOf([...wrong, point(5, 5)], area)).toEqual([wrong.length]);
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), (values) => void idsOf(values as Json[], area)),
    { numRuns: 50 },
  );
});

describe("6. mistakes", () => {
  const corner = "[1, 1]";
  test.each([
    ["_geoPolygon([0, 0], [0, 1])", "at least three pairs"],
    ["_geoPolygon([0, 0], [0, 1], [1])", "at least three pairs"],
    [`_geoPolygon(${Array.from({ length: MAX_POLYGON_VERTICES + 1 }, () => corner).join(",")})`, "at most"],
    ["_geoPolygon([0, 0], [0, 1], [91, 1])", "Bad latitude"],
    ["_geoPolygon([0, 0], [0, 1], [a, 1])", "finite number"],
    ["_geojson = 1", "reserved keyword"],
  ])("%s", (filter, message) => {
    expect(() => idsOf([point(1, 1)], filter)).toThrow(message);
  });
  test("not filterable", () => {
    expect(() => search(open([point(1, 1)], ["_geo"]), { q: "", filter: area })).toThrow(
      "`_geojson` is not filterable",
    );
    expect(() => search(open([point(1, 1)], ["id"]), { q: "", filter: "_geoRadius(1, 1, 1)" })).toThrow(
      "`_geo` is not filterable",
    );
  });
});
