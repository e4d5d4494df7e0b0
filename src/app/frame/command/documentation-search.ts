/** Uses the site's own search, like its search box. */

const MAX_HITS = 5;
const MAX_QUERY = 200;

export interface DocumentationHit {
  title: string;
  /** The page, when the title is that of one of its sections. */
  page: string;
  /** A path of this server. */
  to: string;
}

/** @throws Error in words for the reader; the signal's reason when it is aborted */
export async function searchDocumentation(text: string, signal: AbortSignal): Promise<DocumentationHit[]> {
  const response = await fetch("/multi-search", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      queries: [{ indexUid: "docs", q: text.slice(0, MAX_QUERY), limit: 4 * MAX_HITS }],
    }),
    signal,
  }).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    throw new Error("The documentation search does not respond.");
  });
  if (!response.ok) throw new Error(`The documentation search answered ${response.status}.`);
  const body: unknown = await response.json().catch(() => undefined);
  return hitsOf(body);
}

/** One hit for each address: several lines of a section lead to the same place. */
export function hitsOf(body: unknown): DocumentationHit[] {
  const results = (body as { results?: { hits?: unknown }[] } | undefined)?.results;
  const hits = Array.isArray(results) ? results[0]?.hits : undefined;
  if (!Array.isArray(hits)) throw new Error("The documentation search sent an invalid response.");
  const found = new Map<string, DocumentationHit>();
  for (const hit of hits as { [name: string]: unknown }[]) {
    const to = pathOf(hit["url"]);
    const titles = [1, 2, 3, 4]
      .map((level) => textOf(hit[`hierarchy_lvl${level}`]))
      .filter((text) => text !== "");
    const title = titles.at(-1);
    if (to === null || title === undefined || found.has(to)) continue;
    found.set(to, { title, page: titles.length > 1 ? (titles[0] ?? "") : "", to });
    if (found.size === MAX_HITS) break;
  }
  return [...found.values()];
}

/** The index stores absent texts as the word "null". */
const textOf = (value: unknown) => (typeof value === "string" && value !== "null" ? value : "");

/** Only paths of this server. */
function pathOf(url: unknown): string | null {
  if (typeof url !== "string" || !URL.canParse(url)) return null;
  const { pathname, hash, protocol } = new URL(url);
  return /^https?:$/.test(protocol) && pathname.startsWith("/docs") ? pathname + hash : null;
}
