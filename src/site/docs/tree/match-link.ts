import { trimTrailingSlashes } from "#platform/text/trim-slashes.ts";

/**
 * How a link of the tree relates to the page: `current` is the page itself, `matched` leads to it. A link is
 * matched when the pathname equals its path or starts with it, by whole segments: `/docs/cache` matches
 * `/docs/cache/overview`, not `/docs/cached`. Trailing slashes do not count.
 */
export type LinkMatch = "none" | "matched" | "current";

export function matchLink(to: string, pathname: string, isExact: boolean): LinkMatch {
  const path = trimTrailingSlashes(to);
  const page = trimTrailingSlashes(pathname);
  if (path === page) return "current";
  return !isExact && page.startsWith(`${path}/`) ? "matched" : "none";
}
