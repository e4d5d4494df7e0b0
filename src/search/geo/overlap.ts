/**
 * Whether shapes have a point in common, on a map where degrees are a square grid. Around the poles this does not match the
 * earth, but it is what Meilisearch and nearly all users of GeoJSON mean.
 */
import { distanceInMetres, type GeoPoint } from "./points.ts";
import type { Shape, Vertex } from "./read-geojson.ts";

type Line = readonly Vertex[];

/** The same place may be given with longitudes that differ by full turns. */
const TURNS = [-360, 0, 360];

/** The area's ring, not closed and unwrapped. */
export function overlaps(shape: Shape, area: Line): boolean {
  return TURNS.some((turn) => {
    const moved =
      turn === 0 ? area : area.map(([longitude, latitude]): Vertex => [longitude + turn, latitude]);
    return (
      shape.lines.some((line) => lineOverlaps(line, moved, false)) ||
      shape.polygons.some((rings) => polygonOverlaps(rings, moved))
    );
  });
}

function polygonOverlaps(rings: readonly Line[], area: Line): boolean {
  if (rings.some((ring) => lineOverlaps(ring, area, true))) return true;
  // Their edges do not meet, so the area is either entirely inside the polygon or outside.
  return isInPolygon(area[0]!, rings);
}

function lineOverlaps(line: Line, area: Line, isRing: boolean): boolean {
  if (isInside(line[0]!, area)) return true;
  const segments = isRing ? line.length : line.length - 1;
  for (let at = 0; at < segments; at++) {
    const [from, to] = [line[at]!, line[(at + 1) % line.length]!];
    for (let edge = 0; edge < area.length; edge++) {
      if (doCross(from, to, area[edge]!, area[(edge + 1) % area.length]!)) return true;
    }
  }
  return false;
}

function isInPolygon(point: Vertex, [outer, ...holes]: readonly Line[]): boolean {
  return outer !== undefined && isInside(point, outer) && !holes.some((hole) => isInside(point, hole));
}

/** By the number of edges east of the point. */
function isInside([x, y]: Vertex, ring: Line): boolean {
  let isIn = false;
  for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
    const [x1, y1] = ring[at]!;
    const [x2, y2] = ring[before]!;
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isIn = !isIn;
  }
  return isIn;
}

function doCross(a: Vertex, b: Vertex, c: Vertex, d: Vertex): boolean {
  const [abc, abd, cda, cdb] = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)];
  if (abc !== abd && cda !== cdb) return true;
  return (
    (abc === 0 && isBetween(a, b, c)) ||
    (abd === 0 && isBetween(a, b, d)) ||
    (cda === 0 && isBetween(c, d, a)) ||
    (cdb === 0 && isBetween(c, d, b))
  );
}

function side([ax, ay]: Vertex, [bx, by]: Vertex, [cx, cy]: Vertex): number {
  return Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));
}

function isBetween([ax, ay]: Vertex, [bx, by]: Vertex, [x, y]: Vertex): boolean {
  return x >= Math.min(ax, bx) && x <= Math.max(ax, bx) && y >= Math.min(ay, by) && y <= Math.max(ay, by);
}

/** Whether any part of a shape is within that many metres of a point. */
export function isWithin(shape: Shape, centre: GeoPoint, metres: number): boolean {
  const point: Vertex = [centre.longitude, centre.latitude];
  const isNear = (line: Line, isRing: boolean, turn: number) => {
    const segments = Math.max(1, isRing ? line.length : line.length - 1);
    for (let at = 0; at < segments; at++) {
      const nearest = nearestOn(line[at]!, line[(at + 1) % line.length]!, [point[0] + turn, point[1]]);
      if (distanceInMetres(centre, { longitude: nearest[0] - turn, latitude: nearest[1] }) <= metres)
        return true;
    }
    return false;
  };
  return TURNS.some(
    (turn) =>
      shape.lines.some((line) => isNear(line, false, turn)) ||
      shape.polygons.some(
        (rings) =>
          isInPolygon([point[0] + turn, point[1]], rings) || rings.some((ring) => isNear(ring, true, turn)),
      ),
  );
}

/** Degrees of longitude are shorter the farther they are from the equator. */
function nearestOn(a: Vertex, b: Vertex, [x, y]: Vertex): Vertex {
  const scale = Math.cos((y * Math.PI) / 180);
  const [dx, dy] = [(b[0] - a[0]) * scale, b[1] - a[1]];
  const squared = dx * dx + dy * dy;
  if (squared === 0) return a;
  const along = Math.min(1, Math.max(0, ((x - a[0]) * scale * dx + (y - a[1]) * dy) / squared));
  return [a[0] + (b[0] - a[0]) * along, a[1] + (b[1] - a[1]) * along];
}
