/** Every cap on what a client of `/mcp` may ask for. */

/** Of a request. The longest that makes sense, a query and its envelope, has 2 KB. */
export const MAX_BODY_BYTES = 64 * 1024;
/** For the whole body to arrive. */
export const BODY_MS = 10_000;
/** Lists and objects inside of each other. A call of a tool has 5. */
export const MAX_JSON_DEPTH = 32;
/** Of a message: each is looked at by several schemas of the protocol. A call of a tool has 15, an introduction some 50. */
export const MAX_JSON_VALUES = 500;

/** UTF-16 units of a query: the engine reads no further. */
export { MAX_QUERY_CHARACTERS as MAX_QUERY_LENGTH } from "#search/index.ts";
export const DEFAULT_HITS = 8;
/** Of 600 characters each at most, with their headings: about 5,000 tokens. */
export const MAX_HITS = 20;

/** Characters of a page's address. The longest of ours has 100. */
export const MAX_ADDRESS_LENGTH = 500;
/** Characters of Markdown in one answer, about 5,000 tokens: all pages but three, which come in parts. */
export const MAX_PART_LENGTH = 20_000;
/** Anchors that are named where one does not exist. */
export const MAX_NAMED_ANCHORS = 60;
