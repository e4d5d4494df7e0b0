/**
 * The passages for a question: the site's own search, and for each hit the section of the page that it is in.
 *
 *     "how long are images kept"  →  8 sections  { title: "The registry", section: "Retention", url: "/docs/registry#retention", text }
 */
import { z } from "zod";
import { siteConfig } from "#config";
import { fillPlaceholders } from "#docs/content/page/placeholders.ts";
import { previewNote } from "#docs/content/page/preview-note.ts";
import type { Page } from "#docs/content/types.ts";
import { findSections, type Section, sectionOfAnchor } from "#docs/mcp/page-sections.ts";
import { MAX_HITS, MAX_PASSAGE_LENGTH, MAX_PASSAGES } from "../contract/limits.ts";

export interface Passage {
  /** The page's title. */
  title: string;
  /** The section's title; "" for the start of a page. */
  section: string;
  /** `/docs/registry/overview#retention`: always a page of this site. */
  url: string;
  /** Markdown. */
  text: string;
}

export interface PassageOptions {
  origin: string;
  /** By path. */
  pages: ReadonlyMap<string, Page>;
  /** Answers a body of /multi-search. @throws if it cannot */
  search: (body: unknown) => Promise<unknown>;
}

const answersSchema = z.object({
  results: z.array(z.object({ hits: z.array(z.object({ url: z.string(), content: z.string().nullish() })) })),
});

/** @returns at most `MAX_PASSAGES`, best first */
export async function findPassages(
  question: string,
  { origin, pages, search }: PassageOptions,
): Promise<Passage[]> {
  const { indexName: indexUid } = siteConfig.search;
  const attributesToRetrieve = ["url", "content"];
  const query = { indexUid, q: question, limit: MAX_HITS, attributesToRetrieve };
  const { results } = answersSchema.parse(await search({ queries: [query] }));
  const passages = new Map<string, Passage>();
  for (const { url, content } of results[0]?.hits ?? []) {
    if (passages.size >= MAX_PASSAGES) break;
    const address = URL.parse(url, origin);
    const page = pages.get(address?.pathname ?? "");
    if (!page) continue;
    const section = sectionOf(page, decode(address?.hash.slice(1) ?? ""));
    const place = page.path + (section ? `#${section.id}` : "");
    if (passages.has(place)) continue;
    const fill = (text: string) => fillPlaceholders(text, origin);
    passages.set(place, {
      title: fill(page.title),
      section: fill(section?.title ?? ""),
      url: place,
      text: [...previewNote(page), cut(fill(textOf(page, section)).trim(), content ?? "")].join("\n"),
    });
  }
  return [...passages.values()];
}

function sectionOf(page: Page, anchor: string): Section | undefined {
  if (anchor === "") return undefined;
  const id = sectionOfAnchor(page, anchor);
  return findSections(page).find((section) => section.id === id);
}

/** The section without its heading, or the start of the page until its first section. */
function textOf(page: Page, section: Section | undefined): string {
  if (section) return page.markdown.slice(section.start, section.end).replace(/^.*\n/, "");
  const [first] = findSections(page);
  const start = page.markdown.slice(0, first?.start).replace(/^# .*\n/, "");
  return `${page.description}\n\n${start}`;
}

/** A section that is too long is read around the hit. */
function cut(text: string, content: string): string {
  if (text.length <= MAX_PASSAGE_LENGTH) return text;
  const [words = ""] = /[\p{L}\p{N}][^\t\n|`*[\]()]{8,60}/u.exec(content) ?? [];
  const at = words === "" ? -1 : text.indexOf(words);
  if (at < MAX_PASSAGE_LENGTH / 2) return text.slice(0, MAX_PASSAGE_LENGTH);
  const head = text.slice(0, MAX_PASSAGE_LENGTH / 4);
  const start = text.lastIndexOf("\n", at - MAX_PASSAGE_LENGTH / 4) + 1;
  return `${head}\n…\n${text.slice(Math.max(start, head.length), start + (MAX_PASSAGE_LENGTH * 3) / 4 - 3)}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
