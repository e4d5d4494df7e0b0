import type { Column, Index } from "../contract/types.ts";

/** Degrees, north and east positive. */
export interface GeoPoint {
  latitude: number;
  longitude: number;
}

/** `left` may be greater than `right`: then the box crosses the 180th meridian. */
export interface GeoBox {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** Coordinates by document number; NaN where a document has none. */
export interface GeoPoints {
  latitudes: Float64Array;
  longitudes: Float64Array;
}

/** Mean radius of the earth (IUGG). */
const EARTH_RADIUS_METRES = 6_371_008.8;

/** Along the great circle, by the haversine formula: right to 0.5 %, because the earth is not a sphere. */
export function distanceInMetres(a: GeoPoint, b: GeoPoint): number {
  const toRadians = Math.PI / 180;
  const sinLatitude = Math.sin(((b.latitude - a.latitude) * toRadians) / 2);
  const sinLongitude = Math.sin(((b.longitude - a.longitude) * toRadians) / 2);
  const chord =
    sinLatitude ** 2 +
    Math.cos(a.latitude * toRadians) * Math.cos(b.latitude * toRadians) * sinLongitude ** 2;
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(chord)));
}

export function isInBox(point: GeoPoint, box: GeoBox): boolean {
  if (point.latitude > box.top || point.latitude < box.bottom) return false;
  if (box.left <= box.right) return point.longitude >= box.left && point.longitude <= box.right;
  return point.longitude >= box.left || point.longitude <= box.right;
}

const pointsByIndex = new WeakMap<Index, GeoPoints | null>();

/** Every document's `_geo`; null if no document has one or `_geo` is neither filterable nor sortable. */
export function geoPoints(index: Index): GeoPoints | null {
  const known = pointsByIndex.get(index);
  if (known !== undefined) return known;
  const latitudes = index.column("_geo.lat");
  const longitudes = index.column("_geo.lng");
  const points =
    latitudes && longitudes ? { latitudes: toNumbers(latitudes), longitudes: toNumbers(longitudes) } : null;
  pointsByIndex.set(index, points);
  return points;
}

function toNumbers(column: Column): Float64Array {
  return Float64Array.from({ length: column.starts.length - 1 }, (_, document) => {
    const at = column.starts[document]!;
    return at < column.starts[document + 1]! ? Number(column.values[column.refs[at]!]) : NaN;
  });
}
