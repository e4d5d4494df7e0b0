/** Finds the page and the section that a client means: an address of these docs, with or without its origin. */
import { trimTrailingSlashes } from "#platform/text/trim-slashes.ts";
import type { Library } from "./library.ts";

export interface PageAddress {
  /** The library's path; null if there is no such page. */
  path: string | null;
  /** "" for the whole page. */
  anchor: string;
}

/**
 *     /docs/cache/overview#eviction      https://docs.example.com/docs/cache/overview.md      cache/overview
 *
 * @returns null for an invalid address, and for an address of another site
 */
export function parsePageAddress(
  text: string,
  origin: string,
  { pages, moved }: Library,
): PageAddress | null {
  const url = URL.parse(text.trim(), `${origin}/`);
  if (!url || !/^https?:$/.test(url.protocol) || url.host !== new URL(origin).host) return null;
  const path = trimTrailingSlashes(url.pathname).replace(/\.md$/, "");
  const anchor = decode(url.hash.slice(1).split(":~:")[0] ?? "");
  const known = [path, `/docs${path}`].find((candidate) => pages.has(candidate));
  const [target = "", place = ""] = moved.get(path.toLowerCase())?.split("#") ?? [];
  if (known === undefined && pages.has(target)) return { path: target, anchor: place || anchor };
  return { path: known ?? null, anchor };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
