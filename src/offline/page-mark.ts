/** Changes the pages of the copy: they show that they are a copy, and the search box has the address's search. */
import { escapeXml } from "#platform/text/escape-xml.ts";

/**
 * Attributes have no quotes, so that the same text is valid in HTML and in the JSON of a page's data. React keeps the
 * existing head of the page, so no code has to run.
 */
export function markPage(text: string, made: string): string {
  const head = text.indexOf("doc-title");
  const lead = head < 0 ? -1 : text.indexOf("<p class=", head);
  const end = lead < 0 ? -1 : text.indexOf("</p>", lead);
  if (end < 0) return text;
  const after = end + "</p>".length;
  return `${text.slice(0, after)}<p class=preview-mark>Offline copy of ${dayOf(made)}</p>${text.slice(after)}`;
}

/** `23 November 2026` */
export function dayOf(iso: string): string {
  return new Date(iso).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
}

/** The search box in a page. */
const SEARCH_BOX = ' name="q" value="';

/**
 * The server renders the results of `?q=`; here the page's own code requests them once it runs, and the focus starts
 * it. Until then the box shows the query.
 */
export function fillSearchBox(html: string, query: string): string {
  return html.replace(SEARCH_BOX, () => ` autofocus${SEARCH_BOX}${escapeXml(query)}`);
}
