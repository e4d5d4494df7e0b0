import type { IncomingHttpHeaders } from "node:http";

/**
 * The part requested by `Range`, as start and exclusive end; null: all. A malformed range, or one with several parts, is ignored;
 * a range that ends before it begins may be refused (RFC 9110, 14.2), as OCI's conformance suite requires.
 */
export function readRange(
  headers: IncomingHttpHeaders,
  { size, etag }: { size: number; etag: string },
): [start: number, end: number] | "unsatisfiable" | null {
  const { range } = headers;
  if (range === undefined) return null;
  const condition = headers["if-range"];
  if (condition !== undefined && condition !== etag) return null;
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range) ?? [];
  if (first === "" && last === "") return null;
  if (first === "")
    return Number(last) === 0 || size === 0 ? "unsatisfiable" : [Math.max(0, size - Number(last)), size];
  if (Number(first) >= size || (last !== "" && Number(last) < Number(first))) return "unsatisfiable";
  return [Number(first), last === "" ? size : Math.min(size, Number(last) + 1)];
}
