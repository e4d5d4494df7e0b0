/**
 * Every bound of the engine. A search costs at most what these allow, whatever is typed; a query beyond a bound is
 * cut, never refused. What each bound costs and gives is measured in `bench/`.
 */

/** Characters of a query that are read. A pasted paragraph fits; a pasted file is cut. */
export const MAX_QUERY_CHARACTERS = 512;

/** Words of a query that are searched, as Meilisearch has it; bits of a mask, so at most 31. */
export const MAX_QUERY_WORDS = 10;

/** Phrases and exclusions of a query, together; each is looked for in every section that has its words. */
export const MAX_QUERY_CONDITIONS = 10;

/** Dictionary terms that one typed word may stand for, all kinds together. */
export const MAX_EXPANSIONS = 200;

/** Terms a typed prefix may stand for; the ones in the most sections are kept. */
export const MAX_PREFIX_TERMS = 100;

/** Terms a misspelt word may stand for; the closest are kept. */
export const MAX_TYPO_TERMS = 50;

/** Letters of an indexed term; longer ones (encoded data, hashes) are cut, so that they are found by their beginning. */
export const MAX_TERM_LETTERS = 48;

/** Parts of an identifier that are also indexed joined: `docker-bake.hcl` has three. */
export const MAX_COMPOUND_PARTS = 6;

/** Words of one document that are indexed; the rest of a giant text is not searchable. */
export const MAX_UNIT_WORDS = 65_000;

/** Best candidates that are ranked by all rules. Their order is final; the others follow by their first score. */
export const RERANKED = 60;

/** The same for documents that stand alone, where rules decide one after the other. */
export const RANKED_DOCUMENTS = 4000;

/** Words that these have together, after which the others are left in the order of their first score. */
export const RANKED_DOCUMENT_WORDS = 400_000;

/** Dictionary terms that a typed beginning may stand for there; those in the most documents. */
export const MAX_DOCUMENT_PREFIX_TERMS = 5000;

/** Terms that a misspelt word may stand for there, by its typos. */
export const MAX_ONE_TYPO_TERMS = 150;
export const MAX_TWO_TYPO_TERMS = 50;

/** Milliseconds after which a search answers with what it has, unless `cutoffMs` says otherwise. Meilisearch: 1500. */
export const DEFAULT_CUTOFF_MS = 1500;

/** Hits that one search may reach, unless `maxTotalHits` says otherwise. */
export const DEFAULT_MAX_TOTAL_HITS = 1000;

/** Units that are read to find out how many have two words side by side; the rest is judged by them. */
export const MAX_COUNTED_UNITS = 2000;

/**
 * Units of work (work.ts) that all searches of one request may do together: a thousand hits with everything highlighted
 * and cropped take about 600,000, a search as readers make it 10,000 to 30,000.
 */
export const MAX_WORK = 12_000_000;

/**
 * UTF-16 units of one string in which matches are marked and a crop is chosen; like words beyond `MAX_UNIT_WORDS`, later ones
 * are not found.
 */
export const MAX_FORMATTED_CHARACTERS = 100_000;

/** UTF-16 units of the text typed to find a facet's value; names of values are shorter. */
export const MAX_FACET_QUERY_CHARACTERS = 200;

/** Words of it that are compared with each value. */
export const MAX_FACET_QUERY_WORDS = 10;

/** Letters of a prefix whose answer is kept in the index. */
export const SHORT_ANSWER_LETTERS = 2;

/** Least number of postings for a kept answer; searching fewer is about as fast as reading one. */
export const SHORT_ANSWER_POSTINGS = 100;

/** Hits kept per answer: two pages. Further pages need a search. */
export const SHORT_ANSWER_HITS = 40;

/** Prefixes with kept answers, the most frequent ones: scripts of thousands of letters have millions of pairs. */
export const MAX_SHORT_ANSWERS = 1500;

/** Text of decoded documents that is kept per index, in UTF-16 units: 4 to 8 MB. */
export const KEPT_DOCUMENT_UNITS = 4_000_000;

/** Vertices of one document's `_geojson`; one with more is found by no filter. */
export const MAX_GEO_VERTICES = 10_000;

/** Depth to which collections and features may be nested. */
export const MAX_GEO_DEPTH = 8;

/** Vertices of a `_geoPolygon` filter. */
export const MAX_POLYGON_VERTICES = 200;
