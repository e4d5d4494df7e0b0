/**
 * Pages of a list. A page token names the last object of the previous page, by the list's sort key and its id, so that
 * objects added or removed in the meantime neither repeat nor hide others.
 */
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, MAX_PAGE_TOKEN_LENGTH } from "./limits.ts";
import { Refused } from "./refused.ts";

export interface PageInput {
  /** 0 or absent: the default. */
  pageSize?: number;
  /** Empty or absent: the first page. */
  pageToken?: string;
}

export interface Page<Item> {
  items: readonly Item[];
  /** Empty on the last page. */
  nextPageToken: string;
}

/** An object's sort key in a list, and its id. */
interface PageKey<Sort> {
  sort: Sort;
  id: string;
}

export interface PageRequest<Sort = unknown> {
  size: number;
  /** One more than the page has, to see whether another page follows. */
  limit: number;
  after: PageKey<Sort> | null;
}

export function readPage(input: PageInput, sort: "text"): PageRequest<string>;
export function readPage(input: PageInput, sort: "number"): PageRequest<number>;
/** @throws Refused `invalid_argument` */
export function readPage({ pageSize = 0, pageToken = "" }: PageInput, sort: "text" | "number"): PageRequest {
  if (!Number.isInteger(pageSize) || pageSize < 0 || pageSize > MAX_PAGE_SIZE)
    throw new Refused("invalid_argument", `page_size is ${pageSize}; it must be from 1 to ${MAX_PAGE_SIZE}`, {
      field: "page_size",
    });
  const size = pageSize || DEFAULT_PAGE_SIZE;
  return { size, limit: size + 1, after: pageToken === "" ? null : readPageToken(pageToken, sort) };
}

interface PageMaking<Row, Item> {
  keyOf: (row: Row) => PageKey<string | number>;
  itemOf: (row: Row) => Item;
  /** Where the next page begins, even though the search found no more rows than these. */
  goOn?: PageKey<string | number> | null;
}

/** @param rows at most `limit`, in the order of the list */
export function toPage<Row, Item>(
  rows: readonly Row[],
  { size }: PageRequest,
  { keyOf, itemOf, goOn }: PageMaking<Row, Item>,
): Page<Item> {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  const next = rows.length > size && last !== undefined ? keyOf(last) : (goOn ?? null);
  return {
    items: shown.map(itemOf),
    nextPageToken:
      next === null ? "" : Buffer.from(JSON.stringify([next.sort, next.id])).toString("base64url"),
  };
}

function readPageToken(token: string, sort: "text" | "number"): PageKey<unknown> {
  const damaged = new Refused(
    "invalid_argument",
    "page_token is damaged or belongs to another list; send next_page_token exactly as you received it",
    { field: "page_token" },
  );
  if (token.length > MAX_PAGE_TOKEN_LENGTH || !/^[\w-]+$/.test(token)) throw damaged;
  let key: unknown;
  try {
    key = JSON.parse(Buffer.from(token, "base64url").toString());
  } catch {
    throw damaged;
  }
  if (!Array.isArray(key) || key.length !== 2) throw damaged;
  const [value, id]: unknown[] = key;
  const isRight = sort === "text" ? isPlainText(value) : Number.isSafeInteger(value);
  if (!isRight || !isPlainText(id) || id === "") throw damaged;
  return { sort: value, id };
}

/** PostgreSQL rejects texts with a zero byte or half of a surrogate pair. */
function isPlainText(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0") && value.isWellFormed();
}
