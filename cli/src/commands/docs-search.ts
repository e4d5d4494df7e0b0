/** `docs search`: the sections that the site's search box finds, in the same order. */
import { CliError } from "../errors.ts";
import { createFetch } from "../network.ts";
import { openBrowser } from "../open-browser.ts";
import { formatCsv } from "../output.ts";
import { findOrigin, type Invocation } from "../session.ts";
import { cleanJson, cleanText } from "../text.ts";
import { parseCount } from "../units.ts";

const MOST_RESULTS = 100;
/** A section's heading and its paragraphs are separate hits. */
const HITS_PER_SECTION = 4;
const LEAST_HITS = 20;
const MARK = { start: "\u0001", end: "\u0002" };

interface Section {
  title: string;
  url: string;
  /** The title with marks around the matches. */
  marked: string;
}

export async function searchDocs(call: Invocation): Promise<void> {
  const { flags, terminal } = call;
  const limit = parseCount(flags.text("--limit") ?? "5", "--limit", MOST_RESULTS);
  const words = call.positionals.join(" ");
  const found = (await findSections(call, words, limit)).slice(0, limit);
  const [first] = found;
  if (flags.isSet("--open") && first) openBrowser(first.url);
  const records = found.map(({ title, url }) => ({ title, url }));
  const format = flags.text("--output");
  if (format === "json") terminal.out(`${cleanJson(records)}\n`);
  else if (format === "csv") terminal.out(formatCsv(records));
  else if (first)
    terminal.out(found.map(({ marked, url }) => `${emphasize(marked, call)}\n${url}\n`).join(""));
  else terminal.err(`No results for ${cleanText(words)}\n`);
}

export async function findSections(call: Invocation, words: string, limit: number): Promise<Section[]> {
  const origin = await findOrigin(call);
  const query = {
    indexUid: "docs",
    q: words,
    limit: Math.max(LEAST_HITS, limit * HITS_PER_SECTION),
    attributesToHighlight: ["*"],
    highlightPreTag: MARK.start,
    highlightPostTag: MARK.end,
  };
  const answer = await createFetch(call.env)(new URL("/multi-search", origin), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ queries: [query] }),
  });
  const body = (await answer.json().catch(() => undefined)) as
    { results?: { hits?: unknown }[]; message?: unknown } | undefined;
  const hits = body?.results?.[0]?.hits;
  if (!answer.ok || !Array.isArray(hits))
    throw new CliError(
      `${origin} responded to the search with ${answer.status}: ${cleanText(String(body?.message ?? "")).slice(0, 300)}`,
    );
  const sections = new Map<string, Section>();
  for (const hit of hits) {
    const section = readHit(hit);
    if (section && !sections.has(section.url)) sections.set(section.url, section);
  }
  return [...sections.values()];
}

/** @returns undefined if the hit is not a page. The server's own origin may differ from the one that works from here. */
function readHit(hit: unknown): Section | undefined {
  if (typeof hit !== "object" || hit === null) return undefined;
  const record = hit as { [attribute: string]: unknown };
  const url = cleanText(String(record["url"] ?? ""));
  if (!/^https?:\/\//.test(url)) return undefined;
  const titleOf = (from: { [attribute: string]: unknown }) =>
    [1, 2, 3, 4]
      .map((level) => from[`hierarchy_lvl${level}`])
      .filter((text) => typeof text === "string" && text !== "" && text !== "null")
      .join(" › ");
  const formatted = record["_formatted"];
  const marked =
    typeof formatted === "object" && formatted !== null ? titleOf({ ...formatted }) : titleOf(record);
  return { title: cleanText(titleOf(record)), url, marked };
}

function emphasize(marked: string, { terminal }: Invocation): string {
  return marked
    .split(MARK.start)
    .map((piece, index) => {
      if (index === 0) return cleanText(piece);
      const [match = "", ...rest] = piece.split(MARK.end);
      return terminal.bold(cleanText(match)) + cleanText(rest.join(""));
    })
    .join("");
}
