/**
 * One build serves any address: what it makes has a stand-in where the site's own address belongs, and the running server
 * puts its own there.
 *
 *     {{origin}} in a page ─build─► https://site-origin.invalid in HTML, Markdown, feeds    ─send─► https://docs.example.com
 *                          ─build─► https://millrace.example.com in the index and its records ─read─► https://docs.example.com
 */

export interface SiteAddress {
  /** `https://docs.example.com`, no trailing slash. */
  origin: string;
  /** `docs.example.com`, with the port where the origin has one. */
  host: string;
}

export function siteAddress(origin: string): SiteAddress {
  return { origin, host: origin.replace(/^\w+:\/\//, "") };
}

/** An address, so that all that renders a page can work with it; `.invalid` can never be anybody's (RFC 6761). */
export const BUILT_ADDRESS: SiteAddress = siteAddress("https://site-origin.invalid");

/**
 * In records. Its words are indexed, so that a hit's rank does not depend on how the operator has called the server; they
 * are replaced before a text is cut and marked.
 */
export const INDEXED_ADDRESS: SiteAddress = siteAddress("https://millrace.example.com");

/** A built page for this address. */
export function fillBuiltAddress(text: string, { origin, host }: SiteAddress): string {
  return text.replaceAll(BUILT_ADDRESS.origin, () => origin).replaceAll(BUILT_ADDRESS.host, () => host);
}

/** A text of a record for this address. */
export function fillIndexedAddress(text: string, { origin, host }: SiteAddress): string {
  if (!text.includes(INDEXED_ADDRESS.host)) return text;
  return text.replaceAll(INDEXED_ADDRESS.origin, () => origin).replaceAll(INDEXED_ADDRESS.host, () => host);
}
