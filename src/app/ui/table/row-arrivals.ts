/** Which rows are shown while the reader views them, and which wait. */

export interface Arrangement<Row> {
  rows: readonly Row[];
  /** Number of new rows that wait behind "3 new tokens". */
  waiting: number;
  /** Keys of removed rows that are kept because the pointer is over the table. */
  gone: ReadonlySet<string>;
}

interface Input<Row> {
  /** The rows when the table was last at rest; null: nothing is held. */
  former: readonly Row[] | null;
  /** The current rows, filtered and sorted. */
  latest: readonly Row[];
  keyOf: (row: Row) => string;
  /** Removed rows keep their places: the pointer is over the table. */
  keepsGone: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** Known rows keep their order and take their new contents; new ones wait, except those at the end, which move nothing. */
export function arrangeRows<Row>({ former, latest, keyOf, keepsGone }: Input<Row>): Arrangement<Row> {
  if (!former) return { rows: latest, waiting: 0, gone: NONE };
  const byKey = new Map(latest.map((row) => [keyOf(row), row]));
  const known = new Set(former.map(keyOf));
  const gone = new Set<string>();
  const rows = former.flatMap((row) => {
    const now = byKey.get(keyOf(row));
    if (now !== undefined) return [now];
    if (!keepsGone) return [];
    gone.add(keyOf(row));
    return [row];
  });
  const end = latest.findLastIndex((row) => known.has(keyOf(row))) + 1;
  const waiting = latest.slice(0, end).filter((row) => !known.has(keyOf(row))).length;
  return { rows: [...rows, ...latest.slice(end)], waiting, gone };
}
