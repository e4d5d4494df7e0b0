/** A path without the slashes at its end. By hand: `/\/+$/` costs the square of a path that is nothing but slashes. */
export function trimTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  return path.slice(0, end);
}

/** The same at both ends. */
export function trimSlashes(path: string): string {
  let start = 0;
  while (path[start] === "/") start++;
  return trimTrailingSlashes(path.slice(start));
}
