/**
 * One build works for any address: its output has a stand-in for the site's own address, and the running server
 * replaces it by its own.
 *
 *     {{origin}} in a page ─build─► https://site-origin.invalid in HTML, Markdown, feeds    ─send─► https://docs.example.com
 *                          ─build─► https://millrace.example.com in the index and its records ─read─► https://docs.example.com
 */

export interface SiteAddress {
  /** `https://docs.example.com`, no trailing slash. */
  origin: string;
  /** `docs.example.com`, with the port if the origin has one. */
  host: string;
}

export function siteAddress(origin: string): SiteAddress {
  return { origin, host: origin.replace(/^\w+:\/\//, "") };
}

/** A valid address, so that all code that renders pages can use it; no one can ever own `.invalid` (RFC 6761). */
export const BUILT_ADDRESS: SiteAddress = siteAddress("https://site-origin.invalid");

/**
 * The stand-in in records. Its words are indexed, so that a hit's rank does not depend on the name of the server; they
 * are replaced before a text is cut and marked.
 */
export const INDEXED_ADDRESS: SiteAddress = siteAddress("https://millrace.example.com");

/** Fills this address into a built page. */
export function fillBuiltAddress(text: string, { origin, host }: SiteAddress): string {
  return text.replaceAll(BUILT_ADDRESS.origin, () => origin).replaceAll(BUILT_ADDRESS.host, () => host);
}

/** Fills this address into a record's text. */
export function fillIndexedAddress(text: string, { origin, host }: SiteAddress): string {
  if (!text.includes(INDEXED_ADDRESS.host)) return text;
  return text.replaceAll(INDEXED_ADDRESS.origin, () => origin).replaceAll(INDEXED_ADDRESS.host, () => host);
}
