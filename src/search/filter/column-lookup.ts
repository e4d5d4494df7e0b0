/** Look-ups in a column for filters, facets and sorting that are not stored, made at first use and then kept. */
import { type Column, ColumnState, type Scalar } from "../contract/types.ts";

export interface ColumnLookup {
  /** Comparable form of each value, by value number. */
  readonly keys: readonly string[];
  /** Value numbers by comparable form. */
  readonly byKey: ReadonlyMap<string, readonly number[]>;
  /** The first `numberCount` values are numbers. */
  readonly numberCount: number;
  /** Documents with value `v`: `documents[i]` for `i` in `[starts[v], starts[v + 1])`, ascending. */
  readonly starts: Uint32Array;
  readonly documents: Uint32Array;
}

const lookups = new WeakMap<Column, ColumnLookup>();

export function lookupOf(column: Column): ColumnLookup {
  let lookup = lookups.get(column);
  if (!lookup) lookups.set(column, (lookup = createLookup(column)));
  return lookup;
}

/** Values compare without case, compatibility forms or surrounding space, but with their accents. */
export function comparableKey(value: Scalar): string {
  return String(value).trim().normalize("NFKD").toLowerCase();
}

function createLookup(column: Column): ColumnLookup {
  const keys = column.values.map((value) => comparableKey(value));
  const byKey = new Map<string, number[]>();
  keys.forEach((key, value) => {
    const same = byKey.get(key);
    if (same) same.push(value);
    else byKey.set(key, [value]);
  });
  const firstText = column.values.findIndex((value) => typeof value !== "number");
  const numberCount = firstText < 0 ? column.values.length : firstText;
  return { keys, byKey, numberCount, ...invert(column) };
}

/** Counting sort of (document, value) pairs by value. */
function invert(column: Column): { starts: Uint32Array; documents: Uint32Array } {
  const starts = new Uint32Array(column.values.length + 1);
  for (const ref of column.refs) starts[ref + 1]!++;
  for (let value = 0; value < column.values.length; value++) starts[value + 1]! += starts[value]!;
  const next = starts.slice();
  const documents = new Uint32Array(column.refs.length);
  for (let document = 0; document + 1 < column.starts.length; document++) {
    for (let at = column.starts[document]!; at < column.starts[document + 1]!; at++) {
      documents[next[column.refs[at]!]!++] = document;
    }
  }
  return { starts, documents };
}

/** Numbers that were written as text (`"12"`) compare as numbers too. */
export function toNumber(text: string): number | null {
  if (text.trim() === "") return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

export function isPresentState(state: number | undefined): boolean {
  return state !== undefined && state !== ColumnState.absent;
}
