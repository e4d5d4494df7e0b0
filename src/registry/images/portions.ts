import { ROWS_AT_ONCE } from "../contract/limits.ts";

/** Queries a few of many items at a time: the parameters of a statement are limited. */
export async function inPortions<Item, Row>(
  items: readonly Item[],
  ask: (portion: readonly Item[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < items.length; start += ROWS_AT_ONCE)
    for (const row of await ask(items.slice(start, start + ROWS_AT_ONCE))) rows.push(row);
  return rows;
}
