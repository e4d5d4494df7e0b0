/**
 * Filters by place: `_geo` is a point, `_geojson` any shape. A circle and a box find the points inside and every shape with
 * any part inside; a polygon, as in Meilisearch, finds shapes only.
 */
import { coversPath } from "../contract/attribute-paths.ts";
import { distanceInMetres, geoPoints, isInBox } from "../geo/points.ts";
import { isWithin, overlaps } from "../geo/overlap.ts";
import { type Shape, unwrap, type Vertex } from "../geo/read-geojson.ts";
import { geoShapes, sizeOf } from "../geo/shapes.ts";
import type { Steps } from "../contract/steps.ts";
import type { DocumentSet, Index } from "../contract/types.ts";
import type { Work } from "../contract/work.ts";
import type { FilterNode } from "./ast.ts";
import { availableFilterable, filterError, refuseIfOver } from "./errors.ts";

export type GeoNode = Extract<FilterNode, { kind: "geoRadius" | "geoBox" | "geoPolygon" }>;

export function isGeo(node: FilterNode): node is GeoNode {
  return node.kind === "geoRadius" || node.kind === "geoBox" || node.kind === "geoPolygon";
}

/** Shapes that are compared before yielding. */
const STRETCH = 200;

export function* geoSteps(index: Index, node: GeoNode, work: Work): Steps<DocumentSet> {
  const { filterableAttributes } = index.settings;
  const hasPoints = node.kind !== "geoPolygon" && coversPath(filterableAttributes, "_geo");
  const hasShapes = coversPath(filterableAttributes, "_geojson");
  if (!hasPoints && !hasShapes) {
    const name = node.kind === "geoPolygon" ? "_geojson" : "_geo";
    throw filterError(`Attribute \`${name}\` is not filterable. ${availableFilterable(index)}`, node.at);
  }
  const set = new Uint8Array(index.documentCount);
  work.add(index.documentCount);
  if (hasPoints) addPoints(set, index, node);
  if (hasShapes) yield* addShapes(set, index, node, work);
  return set;
}

function addPoints(set: DocumentSet, index: Index, node: GeoNode): void {
  const points = geoPoints(index);
  if (!points || node.kind === "geoPolygon") return;
  for (let id = 0; id < set.length; id++) {
    const latitude = points.latitudes[id]!;
    const longitude = points.longitudes[id]!;
    if (Number.isNaN(latitude) || Number.isNaN(longitude)) continue;
    const point = { latitude, longitude };
    const isInside =
      node.kind === "geoRadius" ? distanceInMetres(node, point) <= node.metres : isInBox(point, node);
    if (isInside) set[id] = 1;
  }
}

function* addShapes(set: DocumentSet, index: Index, node: GeoNode, work: Work): Steps<void> {
  const shapes = yield* geoShapes(index, work);
  const area = areaOf(node);
  const test = (shape: Shape) =>
    node.kind === "geoRadius" ? isWithin(shape, node, node.metres) : overlaps(shape, area);
  for (let id = 0; id < set.length; id++) {
    const shape = shapes[id];
    if (!shape) continue;
    work.add(sizeOf(shape) * Math.max(1, area.length));
    refuseIfOver(work);
    if (id % STRETCH === STRETCH - 1) yield;
    if (test(shape)) set[id] = 1;
  }
}

/** Corners of the area; a circle has none. */
function areaOf(node: GeoNode): readonly Vertex[] {
  if (node.kind === "geoRadius") return [];
  if (node.kind === "geoPolygon") {
    return unwrap(node.vertices.map(({ latitude, longitude }): Vertex => [longitude, latitude]));
  }
  const { top, bottom, left } = node;
  // Across the 180th meridian, or wider than half of the earth.
  const right = node.right < left ? node.right + 360 : node.right;
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}
