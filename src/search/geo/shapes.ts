import type { Steps } from "../contract/steps.ts";
import type { Index } from "../contract/types.ts";
import { type Work, WorkOf } from "../contract/work.ts";
import { readGeoJson, type Shape } from "./read-geojson.ts";

const shapesByIndex = new WeakMap<Index, readonly (Shape | null)[]>();

/** Documents that are read before yielding. */
const STRETCH = 200;

/** Every document's `_geojson`, read at the first filter that asks; null where there is none. */
export function* geoShapes(index: Index, work: Work): Steps<readonly (Shape | null)[]> {
  const known = shapesByIndex.get(index);
  if (known) return known;
  const shapes: (Shape | null)[] = [];
  const hasAny = (index.fieldCounts["_geojson"] ?? 0) > 0;
  for (let id = 0; id < index.documentCount; id++) {
    if (hasAny) work.add(WorkOf.document / 10);
    if (hasAny && id % STRETCH === STRETCH - 1) yield;
    const document = hasAny ? readShape(index, id) : {};
    shapes.push(readGeoJson(document["_geojson"]));
  }
  shapesByIndex.set(index, shapes);
  return shapes;
}

function readShape(index: Index, id: number) {
  return index.readDocument?.(id, (name) => name === "_geojson") ?? index.document(id);
}

/** Vertices, the work of comparing a shape with anything. */
export function sizeOf({ lines, polygons }: Shape): number {
  const count = (list: readonly (readonly unknown[])[]) => list.reduce((sum, line) => sum + line.length, 0);
  return count(lines) + polygons.reduce((sum, rings) => sum + count(rings), 0);
}
