/**
 * A path without trailing slashes. Hand-written: `/\/+$/` takes quadratic time for a path of nothing but
 * slashes.
 */
export function trimTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  return path.slice(0, end);
}

/** Trims both ends. */
export function trimSlashes(path: string): string {
  let start = 0;
  while (path[start] === "/") start++;
  return trimTrailingSlashes(path.slice(start));
}
