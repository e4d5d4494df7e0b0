/** Changes the documentation's index, and compares the hits of a search before and after. Pure: bytes in, hits out. */
import { buildIndex, openIndex, type OpenedIndex, search, type SearchDocument } from "#search/index.ts";

/** A change that an author would make in the repository. */
export type IndexChange =
  { kind: "synonym"; words: readonly string[] } | { kind: "keyword"; keyword: string; path: string };

export interface FoundRecord {
  /** Path and anchor. */
  path: string;
  /** "Cache › Overview › Limits" */
  trail: string;
}

export interface Comparison {
  before: FoundRecord[];
  after: FoundRecord[];
}

export interface TrialRequest {
  kind: "trial";
  /** The bytes of the index file. */
  bytes: Uint8Array;
  change: IndexChange;
  query: string;
}

const HITS = 10;

export function compareChange({ bytes, change, query }: TrialRequest): Comparison {
  const index = openIndex(bytes);
  return {
    before: findRecords(index, query, HITS),
    after: findRecords(openIndex(changeIndex(index, change)), query, HITS),
  };
}

/** @returns the bytes of the changed index */
export function changeIndex(index: OpenedIndex, change: IndexChange): Uint8Array {
  const records = Array.from({ length: index.documentCount }, (_, id) => index.document(id));
  const { settings } = index;
  if (change.kind === "synonym")
    return buildIndex(records, { ...settings, synonyms: addGroup(settings.synonyms, change.words) });
  return buildIndex(
    records.map((record) => addKeyword(record, change)),
    settings,
  );
}

type Synonyms = { [word: string]: string[] };

/** Adds to each word all the others, and keeps its existing synonyms. */
function addGroup(synonyms: Synonyms, words: readonly string[]): Synonyms {
  const table = new Map(Object.entries(synonyms));
  for (const word of words)
    table.set(word, [...new Set([...(table.get(word) ?? []), ...words.filter((other) => other !== word)])]);
  return Object.fromEntries(table);
}

/** Keywords belong to the page's own record. */
function addKeyword(
  record: SearchDocument,
  { keyword, path }: Extract<IndexChange, { kind: "keyword" }>,
): SearchDocument {
  if (record["type"] !== "lvl1" || pathOf(record) !== path.split("#")[0]) return record;
  const { keywords } = record;
  return { ...record, keywords: [...(Array.isArray(keywords) ? keywords : []), keyword] };
}

/** @param most records that are returned */
export function findRecords(index: OpenedIndex, q: string, most: number): FoundRecord[] {
  // Like a reader's page: one more than is shown.
  const { hits } = search(index, { q, offset: 0, limit: 21 });
  return hits.slice(0, most).map(({ document }) => ({ path: pathOf(document), trail: trailOf(document) }));
}

function pathOf({ url }: SearchDocument): string {
  const address = typeof url === "string" ? URL.parse(url) : null;
  return address ? address.pathname + address.hash : "";
}

const LEVELS = [0, 1, 2, 3, 4].map((level) => `hierarchy_lvl${level}`);

const trailOf = (record: SearchDocument) =>
  LEVELS.map((level) => record[level])
    .filter((text) => typeof text === "string" && text !== "null" && text !== "")
    .join(" › ");
