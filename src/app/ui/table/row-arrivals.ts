/** Which rows are shown while somebody looks at them, and which wait. */

export interface Arrangement<Row> {
  rows: readonly Row[];
  /** How many have come since, and wait behind "3 new tokens". */
  waiting: number;
  /** Keys of rows that are not there any more, but under the pointer's table. */
  gone: ReadonlySet<string>;
}

interface Input<Row> {
  /** As they were shown when the table was last at rest; null: nothing is held. */
  former: readonly Row[] | null;
  /** As they are now, filtered and sorted. */
  latest: readonly Row[];
  keyOf: (row: Row) => string;
  /** Removed rows keep their places: the pointer is over the table. */
  keepsGone: boolean;
}

const NONE: ReadonlySet<string> = new Set();

/** Rows that stood keep their order and take their new contents; new ones wait, but those at the end: they move nothing. */
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
