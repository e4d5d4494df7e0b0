/**
 * A document's `_geojson` → the shapes for filters: points, lines and rings in degrees. A line means the shorter way around the
 * earth, so longitudes continue beyond 180 where it crosses the meridian: 179, -179 becomes 179, 181.
 */
import { MAX_GEO_DEPTH, MAX_GEO_VERTICES } from "../contract/limits.ts";
import { getOwn } from "../contract/own-properties.ts";
import type { Json } from "../contract/types.ts";

/** East and north. */
export type Vertex = readonly [longitude: number, latitude: number];

export interface Shape {
  /** Points, and lines of several vertices. */
  lines: readonly (readonly Vertex[])[];
  /** Each polygon is its outer ring, then its holes; not closed, the reader closes them. */
  polygons: readonly (readonly (readonly Vertex[])[])[];
}

interface Reading {
  lines: Vertex[][];
  polygons: Vertex[][][];
  vertices: number;
}

/** null if it is not GeoJSON, or too large to read. */
export function readGeoJson(value: Json | undefined): Shape | null {
  const reading: Reading = { lines: [], polygons: [], vertices: 0 };
  const isRead = readObject(value, reading, 0);
  return isRead && reading.vertices > 0 ? reading : null;
}

function readObject(value: Json | undefined, reading: Reading, depth: number): boolean {
  if (value === null || typeof value !== "object" || Array.isArray(value) || depth > MAX_GEO_DEPTH)
    return false;
  const coordinates = getOwn(value, "coordinates");
  switch (getOwn(value, "type")) {
    case "Point":
      return addLine([coordinates ?? null], reading);
    case "MultiPoint":
      return each(coordinates, (point) => addLine([point], reading));
    case "LineString":
      return addLine(coordinates, reading);
    case "MultiLineString":
      return each(coordinates, (line) => addLine(line, reading));
    case "Polygon":
      return addPolygon(coordinates, reading);
    case "MultiPolygon":
      return each(coordinates, (polygon) => addPolygon(polygon, reading));
    case "Feature":
      return readObject(getOwn(value, "geometry"), reading, depth + 1);
    case "GeometryCollection":
      return each(getOwn(value, "geometries"), (one) => readObject(one, reading, depth + 1));
    case "FeatureCollection":
      return each(getOwn(value, "features"), (one) => readObject(one, reading, depth + 1));
    default:
      return false;
  }
}

function each(list: Json | undefined, read: (item: Json) => boolean): boolean {
  return Array.isArray(list) && list.every(read);
}

function addLine(list: Json | undefined, reading: Reading): boolean {
  const line = readLine(list, reading);
  if (line) reading.lines.push(line);
  return line !== null;
}

function addPolygon(rings: Json | undefined, reading: Reading): boolean {
  const polygon: Vertex[][] = [];
  const isRead = each(rings, (ring) => {
    const line = readLine(ring, reading);
    if (line) polygon.push(line);
    return line !== null;
  });
  if (isRead && polygon.length > 0) reading.polygons.push(polygon);
  return isRead;
}

function readLine(list: Json | undefined, reading: Reading): Vertex[] | null {
  if (!Array.isArray(list) || list.length === 0) return null;
  reading.vertices += list.length;
  if (reading.vertices > MAX_GEO_VERTICES) return null;
  const vertices: Vertex[] = [];
  for (const item of list) {
    const [longitude, latitude] = Array.isArray(item) ? item : [];
    if (!isDegrees(longitude, 180) || !isDegrees(latitude, 90)) return null;
    vertices.push([longitude, latitude]);
  }
  return unwrap(vertices);
}

function isDegrees(value: Json | undefined, most: number): value is number {
  return typeof value === "number" && Math.abs(value) <= most;
}

/** Neighbours are less than half of the earth apart. */
export function unwrap(vertices: readonly Vertex[]): Vertex[] {
  let turns = 0;
  return vertices.map(([longitude, latitude], at) => {
    const before = vertices[at - 1]?.[0] ?? longitude;
    if (longitude - before > 180) turns--;
    else if (longitude - before < -180) turns++;
    return [longitude + turns * 360, latitude];
  });
}
