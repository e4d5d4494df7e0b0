import type { TableOrder } from "./table-types.ts";
import { lazily } from "../../lazily.ts";

type CellValue = string | number | null;

/** `-name` is descending, `name` ascending; anything but a column's key gives the fallback. */
export function parseOrder(text: string | null, keys: readonly string[], fallback: TableOrder): TableOrder {
  const key = text?.replace(/^-/, "") ?? "";
  return keys.includes(key) ? { key, isDescending: text?.startsWith("-") ?? false } : fallback;
}

export const orderText = ({ key, isDescending }: TableOrder) => `${isDescending ? "-" : ""}${key}`;

// The server writes times in RFC 3339.
const TIME = /^\d{4}-\d\d-\d\dT\d\d:/;
const collator = lazily(() => new Intl.Collator("en", { numeric: true }));
/** Names in the form of project names. */
const PLAIN = /^[a-z0-9-]*$/;

/** `web-2` before `web-10`. The language's own order takes long to load, and is the same for plain names. */
function compareWords(left: string, right: string): number {
  if (!PLAIN.test(left) || !PLAIN.test(right)) return collator().compare(left, right);
  const ones = partsOf(left);
  const others = partsOf(right);
  for (const [index, one] of ones.entries()) {
    const other = others[index];
    if (other === undefined) return 1;
    const areNumbers = /^\d/.test(one) && /^\d/.test(other);
    // A longer number is the larger one.
    const order = areNumbers ? one.length - other.length || compareText(one, other) : compareText(one, other);
    if (order !== 0) return order;
  }
  return ones.length - others.length;
}

/** Splits into characters, and numbers without their leading zeros. */
const partsOf = (name: string): string[] =>
  (name.match(/\d+|\D/g) ?? []).map((part) => part.replace(/^0+(?=\d)/, ""));

const compareText = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** Times as milliseconds; empty values as null. */
function comparable(value: CellValue): CellValue {
  if (typeof value === "number") return Number.isNaN(value) ? null : value;
  if (value === null || value === "") return null;
  return TIME.test(value) ? Date.parse(value) : value;
}

function compare(left: string | number, right: string | number): number {
  if (typeof left === "number") return typeof right === "number" ? left - right : -1;
  return typeof right === "number" ? 1 : compareWords(left, right);
}

/**
 * The rank of each row when sorted by value; equal ones share it. Comparing words is expensive, so it is done once for an
 * order and not for each letter of a filter. Rows without a value are last in both directions: their rank is higher than
 * all, or lower than all where `isDescending` reverses the comparison.
 */
export function rankRows(values: readonly CellValue[], isDescending: boolean): Float64Array {
  const ranks = new Float64Array(values.length).fill(isDescending ? -1 : values.length);
  const present = values
    .map((value, index) => ({ value: comparable(value), index }))
    .filter((each): each is { value: string | number; index: number } => each.value !== null)
    .sort((a, b) => compare(a.value, b.value));
  let rank = 0;
  let former: string | number | undefined;
  for (const { value, index } of present) {
    if (former !== undefined && compare(former, value) !== 0) rank++;
    ranks[index] = rank;
    former = value;
  }
  return ranks;
}

const NUMBERS = { isTime: false, descending: "highest first", ascending: "lowest first", first: true };
const TIMES = { isTime: true, descending: "newest first", ascending: "oldest first", first: true };
const WORDS = { isTime: false, descending: "Z to A", ascending: "A to Z", first: false };

/** The names of both directions, and whether the descending one comes first: newest and highest do, names do not. */
export function describeOrders(values: Iterable<CellValue>) {
  for (const value of values) {
    if (typeof value === "number") return NUMBERS;
    if (value) return TIME.test(value) ? TIMES : WORDS;
  }
  return WORDS;
}
