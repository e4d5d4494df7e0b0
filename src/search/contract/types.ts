/**
 * The engine's interface to the rest of the repository, together with the functions of `index.ts`. The names are
 * ours; Meilisearch's JSON names (`attributesToCrop`, …) exist only in `src/search-server/`.
 *
 * A query passes through the engine's folders one way, and none imports from one to its right:
 *
 *   text ─► dictionary, file ─► query ─► rules ─► rank ─► format
 *   words   the opened index    units    reasons  order   highlights
 *
 * `geo`, `filter` and `sort` see documents by their values; the files next to this one put everything together.
 */

import type { Trace } from "./trace.ts";
import type { Work } from "./work.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A document to index: one JSON object, found by its primary key. */
export type SearchDocument = { [attribute: string]: Json };

/** A value that can be filtered, counted or sorted by. */
export type Scalar = string | number | boolean;

/**
 * One filterable or sortable attribute of every document, by document number. Document `d` has the values
 * `values[refs[i]]` for `i` in `[starts[d], starts[d + 1])`; arrays give several, in order, without repeats.
 */
export interface Column {
  readonly attribute: string;
  /** Distinct values, numbers first in ascending order, then strings and booleans in code unit order of their text. */
  readonly values: readonly Scalar[];
  readonly starts: Uint32Array;
  readonly refs: Uint32Array;
  /** One of `ColumnState` per document. */
  readonly states: Uint8Array;
}

/** The state of an attribute in a document; plain numbers, because they are bytes of the index file. */
export const ColumnState = { absent: 0, null: 1, empty: 2, present: 3 } as const;

/** An opened index: immutable, safe to share between searches. Nothing is decoded before it is needed. */
export interface Index {
  readonly settings: IndexSettings;
  readonly documentCount: number;
  /** A fresh copy of document `id`, `0 <= id < documentCount`, in the order given to `buildIndex`. */
  document(id: number): SearchDocument;
  /** Reads only the attributes that are wanted. Optional: `document` also serves. */
  readDocument?(id: number, isWanted: (name: string) => boolean): SearchDocument;
  /** null if the attribute is neither filterable nor sortable, or no document has it. `_geo` gives `_geo.lat` and `_geo.lng`. */
  column(attribute: string): Column | null;
  /** Every attribute that has a column. */
  readonly columnNames: readonly string[];
  /** Number of documents that have each top-level attribute. */
  readonly fieldCounts: { readonly [attribute: string]: number };
}

/** How documents are sorted: negative = `a` first. `distance` gives metres where a `_geoPoint` rule is among the rules. */
export interface DocumentOrder {
  compare(a: number, b: number): number;
  distance?(id: number): number | null;
  /** The value that the first rule sorts a document by. */
  explain(id: number): { value: Json; distance?: number | null };
}

/** Documents that pass a filter: one byte per document number, 1 = in the set. */
export type DocumentSet = Uint8Array;

export interface TypoSettings {
  isEnabled: boolean;
  /** Shortest word, in letters, in which one typo is forgiven. Default 5. */
  oneTypoFrom: number;
  /** Shortest word in which two typos are forgiven. Default 9. */
  twoTyposFrom: number;
  disabledOnWords: string[];
  disabledOnAttributes: string[];
  disabledOnNumbers: boolean;
}

export interface IndexSettings {
  primaryKey: string;
  /** In order of weight, heaviest first; `["*"]` = all, equal. Dotted paths reach into objects. */
  searchableAttributes: string[];
  displayedAttributes: string[];
  filterableAttributes: string[];
  sortableAttributes: string[];
  /** Names of rules, or `attribute:asc` / `attribute:desc`. */
  rankingRules: string[];
  stopWords: string[];
  /** word → words that also match. */
  synonyms: { [word: string]: string[] };
  /**
   * word → words of the documents for what it means, weaker than synonyms, and only for a word that hardly any document has.
   * Documentation only. Absent in files of earlier versions.
   */
  concepts?: { [word: string]: string[] };
  distinctAttribute: string | null;
  typo: TypoSettings;
  prefixSearch: "indexingTime" | "disabled";
  separatorTokens: string[];
  nonSeparatorTokens: string[];
  dictionary: string[];
  maxFacetValues: number;
  facetOrder: { [attribute: string]: "alpha" | "count" };
  maxTotalHits: number;
  /** Milliseconds after which a search answers with what it has; null = the engine's limit. */
  cutoffMs: number | null;
  /**
   * Documentation records: how flat records make up pages and sections. null = every document stands alone,
   * unless `distinctAttribute` is "url" and the documents are DocSearch records, as crawlers send them.
   * `url` holds the address (page = the part before `#`, section = the whole), `levels` the headings from the
   * site's section down (lvl0, lvl1 = page title, …), `content` the text. The string "null" means absent. `names` holds
   * words that find a page as its title does; they are on its first record.
   */
  hierarchy: { url: string; levels: string[]; content: string; names?: string } | null;
}

export interface HighlightOptions {
  /** `["*"]` = every displayed attribute. */
  attributes: string[];
  preTag: string;
  postTag: string;
}

export interface CropOptions {
  /** `name` or `name:length` (length in words). */
  attributes: string[];
  length: number;
  marker: string;
}

export interface SearchQuery {
  q: string;
  /** Window of hits; either offset/limit or page (1-based)/hitsPerPage (then totals are exhaustive). */
  offset?: number;
  limit?: number;
  page?: number;
  hitsPerPage?: number;
  /** A filter expression; nested arrays as Meilisearch has them: outer AND, inner OR. */
  filter?: string | (string | string[])[];
  facets?: string[];
  sort?: string[];
  distinct?: string;
  retrieve?: string[];
  searchOn?: string[];
  /**
   * "all": only documents with every word. Else words are given up until the page is full, the last ones first ("last", the
   * default) or the most frequent first ("frequency"); the first or the rarest word never. Sections with any word are hits,
   * wherever it is in the query, because readers of documentation write sentences.
   */
  matching?: "last" | "all" | "frequency";
  highlight?: HighlightOptions;
  crop?: CropOptions;
  showMatchesPosition?: boolean;
  showScore?: boolean;
  showScoreDetails?: boolean;
  minScore?: number;
  locales?: string[];
  /** Milliseconds from any origin, for the time limit; injected so that tests are repeatable. */
  now?: () => number;
  /** Receives the duration of each stage, measured with `now`. */
  trace?: Trace;
  /** The work budget of all searches of a request; absent: the search has `MAX_WORK` for itself. */
  work?: Work;
}

export interface MatchPosition {
  start: number;
  length: number;
  indices?: number[];
}

/** By Meilisearch's names; orders by values have no score. */
export interface ScoreDetail {
  order: number;
  [detail: string]: Json;
}

export interface Hit {
  /** Position of the document in the index. */
  id: number;
  /** The retrieved attributes; may be shared with other hits, so not to be changed. */
  document: SearchDocument;
  /** Highlighted and cropped copy, when either was asked for. */
  formatted?: SearchDocument;
  matches?: { [attribute: string]: MatchPosition[] };
  score?: number;
  scoreDetails?: { [rule: string]: ScoreDetail };
  /** Metres from the point of a `_geoPoint` sort. */
  geoDistance?: number;
}

export interface SearchResult {
  hits: Hit[];
  /** Estimated (offset/limit) or exhaustive (page/hitsPerPage) number of matching documents. */
  total: number;
  isTotalExact: boolean;
  facetDistribution?: { [attribute: string]: { [value: string]: number } };
  facetStats?: { [attribute: string]: { min: number; max: number } };
  /** Time, work or room for the answer ran out: the ranking is rough, or hits are missing at the end. */
  isDegraded: boolean;
}

export interface FacetQuery extends SearchQuery {
  facet: string;
  facetQuery: string;
  exhaustiveCount?: boolean;
}

export interface FacetHits {
  facetHits: { value: string; count: number }[];
}

/** A user's mistake (unknown attribute, broken filter): what is wrong, where, what would be right. */
export class SearchError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = "SearchError";
    this.code = code;
  }
}
