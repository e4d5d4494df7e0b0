/** All limits for clients of `/mcp`. */

/** Bytes of a request. The longest sensible request, a query and its envelope, has 2 KB. */
export const MAX_BODY_BYTES = 64 * 1024;
/** Time for the whole body to arrive. */
export const BODY_MS = 10_000;
/** Nested lists and objects. A tool call has 5. */
export const MAX_JSON_DEPTH = 32;
/** Values of a message: several schemas of the protocol check each value. A tool call has 15, an initialization about 50. */
export const MAX_JSON_VALUES = 500;

/** UTF-16 units of a query: the engine reads no further. */
export { MAX_QUERY_CHARACTERS as MAX_QUERY_LENGTH } from "#search/index.ts";
export const DEFAULT_HITS = 8;
/** Hits of at most 600 characters each, with their headings: about 5,000 tokens. */
export const MAX_HITS = 20;

/** Characters of a page's address. Our longest address has 100. */
export const MAX_ADDRESS_LENGTH = 500;
/** Characters of Markdown in one answer, about 5,000 tokens: all pages fit but three, which are sent in parts. */
export const MAX_PART_LENGTH = 20_000;
/** Anchors listed in the answer to an unknown anchor. */
export const MAX_NAMED_ANCHORS = 60;

/** Resources in one answer of a list; a cursor names the last of them. */
export const RESOURCES_PER_LIST = 50;
export const MAX_CURSOR_LENGTH = 1_000;
/** UTF-16 units of a prompt's argument: the end of a build's output. */
export const MAX_PROMPT_TEXT_LENGTH = 8_000;
/** Questions of readers that are shown as examples of a query. */
export const EXAMPLE_QUERIES = 3;
