/**
 * The Atom feed that tells of changes to a page: that of its section, or of the whole documentation for a page of no section.
 * Worked out from the page's path, so that no page has to carry it.
 *
 *     /docs/cache/reference/turbo → /docs/cache.atom
 *     /docs/faq                   → /docs.atom
 */
export function feedOf(path: string): string {
  return `${/^\/docs\/[^/]+(?=\/)/.exec(path)?.[0] ?? "/docs"}.atom`;
}
