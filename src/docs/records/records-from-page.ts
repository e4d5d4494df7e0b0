/**
 * Page → search records: one for the page, one for each heading, paragraph, list, table row and code block. Long texts are
 * cut at the ends of sentences, so that a hit shows the part that matched.
 */
import type { Block, Page } from "#docs/content/types.ts";
import { fillAddress } from "../content/page/placeholders.ts";
import type { SiteAddress } from "../address/site-address.ts";
import { firstSentence, splitText } from "./split-text.ts";
import { rowParts } from "./table-parts.ts";
import type { Part, SearchRecord } from "./types.ts";

export interface RecordOptions {
  address: SiteAddress;
  /** The tree's section that shows the page. */
  section: string;
}

const NONE = "null";
const PAGE_LEVEL = 100;

export function recordsFromPage(page: Page, { address, section }: RecordOptions): SearchRecord[] {
  const fill = (text: string) => fillAddress(text, address);
  const writer = new RecordWriter({
    url: `${address.origin}${page.path}`,
    hierarchy_lvl0: section,
    hierarchy_lvl1: fill(page.title),
    path: page.path,
    for: page.for,
  });
  writer.add({ type: "lvl1", level: PAGE_LEVEL, content: fill(page.description), keywords: page.keywords });
  page.blocks.forEach((block, at) => {
    if (block.kind === "heading") {
      const summary = fill(summaryOf(page.blocks, at));
      writer.startHeading(block, { text: fill(block.text), summary });
    } else
      for (const part of partsOf(block))
        writer.addText({
          ...part,
          text: fill(part.text),
          for: [...(block.for ?? []), ...(part.for ?? [])],
        });
  });
  return writer.records;
}

/** The text for a hit on a heading alone: the first sentence of its section, subsections included. */
function summaryOf(blocks: readonly Block[], at: number): string {
  const { depth } = blocks[at] as Block & { kind: "heading" }; // the caller passes the index of a heading
  const rest = blocks.slice(at + 1);
  const end = rest.findIndex((block) => block.kind === "heading" && block.depth <= depth);
  const section = end < 0 ? rest : rest.slice(0, end);
  const text = section.find(({ kind }) => kind === "paragraph" || kind === "list");
  return text ? firstSentence(text.text) : "";
}

function partsOf(block: Exclude<Block, { kind: "heading" }>): Part[] {
  const cut = (text: string, separator: string, type: Part["type"]) =>
    splitText(text, separator).map((piece) => ({ type, text: piece }));
  switch (block.kind) {
    case "paragraph":
      return cut(block.text, ". ", "content");
    case "list":
      return cut(block.text, "\n", "content");
    case "table":
      return rowParts(block);
    case "code":
      return cut(block.title === null ? block.text : `${block.title}\n${block.text}`, "\n", "code");
  }
}

type Added = Pick<SearchRecord, "type" | "level" | "content" | "columns" | "keywords" | "summary"> & {
  anchor?: string | undefined;
  for?: string[] | undefined;
};

interface PageOfRecords {
  url: string;
  path: string;
  /** The readers of the whole page. */
  for: string[];
  hierarchy_lvl0: string;
  hierarchy_lvl1: string;
}

/** Tracks the headings above the next text. */
class RecordWriter {
  readonly records: SearchRecord[] = [];
  readonly #page: PageOfRecords;
  #levels: [string, string, string] = [NONE, NONE, NONE];
  #anchor = NONE;
  #ids = new Map<string, number>();

  constructor(page: PageOfRecords) {
    this.#page = page;
  }

  startHeading(
    heading: Block & { kind: "heading" },
    { text, summary }: { text: string; summary: string },
  ): void {
    const index = Math.min(Math.max(heading.depth, 2), 4) - 2;
    this.#anchor = heading.id;
    this.#levels = [0, 1, 2].map((level) => {
      if (level === index) return text;
      return level < index ? (this.#levels[level] ?? NONE) : NONE;
    }) as [string, string, string]; // `map` keeps the length
    const type = (["lvl2", "lvl3", "lvl4"] as const)[index] ?? "lvl4";
    this.add({ type, level: PAGE_LEVEL - 10 * (index + 1), content: NONE, summary, for: heading.for });
  }

  addText({ text, ...part }: Part): void {
    this.add({ ...part, level: 0, content: text });
  }

  add(record: Added): void {
    const anchor = record.anchor ?? this.#anchor;
    const { path, url, for: readers, ...names } = this.#page;
    const all = [...new Set([...readers, ...(record.for ?? [])])];
    const [hierarchy_lvl2, hierarchy_lvl3, hierarchy_lvl4] = this.#levels;
    this.records.push({
      objectID: this.#nextId(path, anchor),
      url: anchor === NONE ? url : `${url}#${anchor}`,
      anchor,
      ...names,
      hierarchy_lvl2,
      hierarchy_lvl3,
      hierarchy_lvl4,
      content: record.content,
      ...(record.columns && { columns: record.columns }),
      ...(record.summary && { summary: record.summary }),
      ...(record.keywords && record.keywords.length > 0 && { keywords: record.keywords }),
      ...(all.length > 0 && { for: all }),
      type: record.type,
      level: record.level,
      position: this.records.length,
    });
  }

  /** Path, anchor and a count per anchor: stable as long as the headings are. Letters, digits, "-" and "_" only. */
  #nextId(path: string, anchor: string): string {
    const base = `${path.slice(1)}${anchor === NONE ? "" : `/${anchor}`}`;
    const count = this.#ids.get(base) ?? 0;
    this.#ids.set(base, count + 1);
    return `${fnv(base)}-${count}`;
  }
}

/** FNV-1a over UTF-16 units, two passes of 32 bits: short, and without an import. */
function fnv(text: string): string {
  const pass = (seed: number) => {
    let value = seed;
    for (let index = 0; index < text.length; index += 1) {
      value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
    }
    return (value >>> 0).toString(36);
  };
  return `${pass(0x811c9dc5)}${pass(0x9747b28c)}`;
}
