/**
 * The corpora: records of public documentation as DocSearch has them, and queries with known answers. They are not part
 * of the repository; `BENCH_DATA` names their folder. A corpus name is that of a file, several joined by `+`, and `*4`
 * for four copies: `astro`, `astro+starlight`, `astro+starlight+fumadocs*4`.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface CorpusRecord {
  objectID: string;
  url: string;
  anchor: string;
  content: string;
  type: string;
  [attribute: string]: string | number;
}

export interface CorpusQuery {
  class: string;
  q: string;
  /** Addresses of pages that answer the query, without `#`. */
  pages: string[];
  /** The same, with the section's anchor. */
  urls: string[];
}

/** Every section as one document, for engines that do not know records: one per address. */
export interface Section {
  url: string;
  section: string;
  page: string;
  title: string;
  titles: string;
  text: string;
}

const root = join(import.meta.dirname, "../..");

export const dataFolder =
  process.env.BENCH_DATA ??
  [join(root, "bench/.corpora"), join(root, "../shared/bench-search/data")].find((folder) =>
    existsSync(folder),
  ) ??
  "";

export function readRecords(corpus: string): CorpusRecord[] {
  const [names = "", copies = "1"] = corpus.split("*");
  const records = names.split("+").flatMap((name) => {
    const lines = readFileSync(join(dataFolder, `${name}.ndjson`), "utf8").split("\n");
    // The data's own format, checked where it was made.
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as CorpusRecord);
  });
  return Array.from({ length: Number(copies) }, (_, copy) =>
    records.map((record) => copyRecord(record, copy)),
  ).flat();
}

export function readQueries(corpus: string): CorpusQuery[] {
  const names = corpus.split("*")[0]!.split("+");
  return names.flatMap(
    (name) => JSON.parse(readFileSync(join(dataFolder, `${name}.queries.json`), "utf8")) as CorpusQuery[],
  );
}

/** Every prefix of 150 queries, as a reader types them. */
export function typedStream(queries: readonly CorpusQuery[]): string[] {
  const typed = queries.filter((query) => ["link", "title", "heading", "typo", "body"].includes(query.class));
  const step = Math.max(1, Math.floor(typed.length / 150));
  return typed
    .filter((_, at) => at % step === 0)
    .slice(0, 150)
    .flatMap(({ q }) => [...q].map((_, at, letters) => letters.slice(0, at + 1).join("")))
    .filter((q) => !q.endsWith(" "));
}

/** A record of another site: other addresses, and every third long word occurs only in this copy. */
function copyRecord(record: CorpusRecord, copy: number): CorpusRecord {
  if (copy === 0) return record;
  const own = (text: string) =>
    text.replace(/[A-Za-z]{5,}/g, (word) => (hash(word) % 3 === 0 ? word + ending(copy) : word));
  const changed: CorpusRecord = { ...record };
  for (const name of ["content", ...LEVELS]) {
    const text = record[name];
    if (typeof text === "string" && text !== "null") changed[name] = own(text);
  }
  changed.objectID = `${record.objectID}-${copy}`;
  changed.url = record.url.replace("://", `://copy${copy}.`);
  return changed;
}

/** One letter for the first 25 copies, then two: no two copies change a word in the same way. */
function ending(copy: number): string {
  const letter = (number: number) => String.fromCharCode(97 + number);
  return copy < 26 ? letter(copy) : letter(Math.floor(copy / 26)) + letter(copy % 26);
}

function hash(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) >>> 0;
  return sum;
}

export const LEVELS = [0, 1, 2, 3, 4].map((level) => `hierarchy_lvl${level}`);

export function toSections(records: readonly CorpusRecord[]): Section[] {
  const sections = new Map<string, Section>();
  for (const record of records) {
    const headings = LEVELS.slice(1)
      .map((level) => String(record[level]))
      .filter((text) => text !== "null");
    const depth = record.url.includes("#") ? headings.length : 1;
    const section = sections.get(record.url) ?? {
      url: record.url,
      section: String(record.hierarchy_lvl0),
      page: headings[0] ?? "",
      title: headings[depth - 1] ?? "",
      titles: headings.slice(0, depth - 1).join(" "),
      text: "",
    };
    sections.set(record.url, section);
    if (record.content !== "null") section.text += `${record.content}\n`;
  }
  return [...sections.values()];
}

export function pageOf(url: string): string {
  const hash = url.indexOf("#");
  return hash < 0 ? url : url.slice(0, hash);
}
