import type { FilterNode, Token } from "./ast.ts";
import { filterError, reservedGeo } from "./errors.ts";
import { MAX_POLYGON_VERTICES } from "../contract/limits.ts";
import type { Scanner } from "./scanner.ts";

/**
 * `_geoRadius(latitude, longitude, metres)`, `_geoBoundingBox([top, right], [bottom, left])` or `_geoPolygon([latitude,
 * longitude], …)`; null, and nothing consumed, for any other word.
 */
export function parseGeo(scanner: Scanner): FilterNode | null {
  const start = scanner.rest().start;
  if (scanner.takeKeyword("_geoRadius")) return parseRadius(scanner, start);
  if (scanner.takeKeyword("_geoBoundingBox")) return parseBox(scanner, start);
  if (scanner.takeKeyword("_geoPolygon")) return parsePolygon(scanner, start);
  for (const name of ["_geoPoint", "_geoDistance", "_geojson", "_geo"]) {
    if (scanner.takeKeyword(name)) throw reservedGeo(scanner.token(start, start + name.length));
  }
  return null;
}

function parseRadius(scanner: Scanner, start: number): FilterNode {
  const usage = "The `_geoRadius` filter expects three arguments: `_geoRadius(latitude, longitude, radius)`.";
  const fail = () => filterError(usage, scanner.token(start, scanner.source.length));
  if (!scanner.take("(")) throw fail();
  const numbers = parseNumbers(scanner, fail);
  // A fourth argument is Meilisearch's resolution of the drawn circle; ours is exact, so it is read and ignored.
  if (!scanner.take(")") || numbers.length < 3 || numbers.length > 4) throw fail();
  const [latitude, longitude, metres] = numbers.map((token) => toFinite(token));
  checkLatitude(latitude!, numbers[0]!);
  checkLongitude(longitude!, numbers[1]!);
  const at = scanner.token(start, scanner.position);
  return { kind: "geoRadius", at, latitude: latitude!, longitude: longitude!, metres: metres! };
}

function parseBox(scanner: Scanner, start: number): FilterNode {
  const usage =
    "The `_geoBoundingBox` filter expects two pairs of arguments: " +
    "`_geoBoundingBox([latitude, longitude], [latitude, longitude])`.";
  const fail = () => filterError(usage, scanner.token(start, scanner.source.length));
  if (!scanner.take("(") || !scanner.take("[")) throw fail();
  const topRight = parseNumbers(scanner, fail);
  if (!scanner.take("]") || !scanner.take(",") || !scanner.take("[")) throw fail();
  const bottomLeft = parseNumbers(scanner, fail);
  if (!scanner.take("]") || !scanner.take(")") || topRight.length !== 2 || bottomLeft.length !== 2) {
    throw fail();
  }
  const [top, right] = topRight.map((token) => toFinite(token));
  const [bottom, left] = bottomLeft.map((token) => toFinite(token));
  checkLatitude(top!, topRight[0]!);
  checkLongitude(right!, topRight[1]!);
  checkLatitude(bottom!, bottomLeft[0]!);
  checkLongitude(left!, bottomLeft[1]!);
  const at = scanner.token(start, scanner.position);
  if (top! < bottom!) {
    throw filterError(`The top latitude \`${top}\` is below the bottom latitude \`${bottom}\`.`, at);
  }
  return { kind: "geoBox", at, top: top!, right: right!, bottom: bottom!, left: left! };
}

function parsePolygon(scanner: Scanner, start: number): FilterNode {
  const usage =
    "The `_geoPolygon` filter expects at least three pairs of arguments: " +
    "`_geoPolygon([latitude, longitude], [latitude, longitude], [latitude, longitude], …)`.";
  const fail = () => filterError(usage, scanner.token(start, scanner.source.length));
  if (!scanner.take("(")) throw fail();
  const vertices: { latitude: number; longitude: number }[] = [];
  do {
    if (!scanner.take("[")) throw fail();
    const pair = parseNumbers(scanner, fail);
    if (!scanner.take("]") || pair.length !== 2) throw fail();
    const [latitude, longitude] = pair.map((token) => toFinite(token));
    checkLatitude(latitude!, pair[0]!);
    checkLongitude(longitude!, pair[1]!);
    vertices.push({ latitude: latitude!, longitude: longitude! });
  } while (scanner.take(","));
  if (!scanner.take(")") || vertices.length < 3) throw fail();
  const at = scanner.token(start, scanner.position);
  if (vertices.length > MAX_POLYGON_VERTICES) {
    throw filterError(
      `The polygon has ${vertices.length} points; a filter takes at most ${MAX_POLYGON_VERTICES}.`,
      at,
    );
  }
  return { kind: "geoPolygon", at, vertices };
}

function parseNumbers(scanner: Scanner, fail: () => Error): Token[] {
  const numbers: Token[] = [];
  do {
    if (!scanner.isAtValue()) throw fail();
    numbers.push(scanner.value());
  } while (scanner.take(","));
  return numbers;
}

function toFinite(token: Token): number {
  const value = Number(token.text.trim() === "" ? NaN : token.text);
  if (Number.isFinite(value)) return value;
  throw filterError(`Could not parse \`${token.text}\` as a finite number.`, token);
}

function checkLatitude(value: number, token: Token): void {
  if (Math.abs(value) <= 90) return;
  throw filterError(
    `Bad latitude \`${value}\`. Latitude must be contained between -90 and 90 degrees.`,
    token,
  );
}

function checkLongitude(value: number, token: Token): void {
  if (Math.abs(value) <= 180) return;
  throw filterError(
    `Bad longitude \`${value}\`. Longitude must be contained between -180 and 180 degrees.`,
    token,
  );
}
