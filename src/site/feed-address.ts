/**
 * The Atom feed for changes to a page: its section's feed, or the whole documentation's for a page without a section.
 * Computed from the page's path, so that pages do not have to contain it.
 *
 *     /docs/cache/reference/turbo → /docs/cache.atom
 *     /docs/faq                   → /docs.atom
 */
export function feedOf(path: string): string {
  return `${/^\/docs\/[^/]+(?=\/)/.exec(path)?.[0] ?? "/docs"}.atom`;
}
