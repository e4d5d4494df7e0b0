export interface SortBy<Row> {
  key: string;
  sortValue?: ((row: Row) => number | string | null) | undefined;
}

export interface Order {
  key: string;
  isDescending: boolean;
}

/** `-clicks` is descending, `clicks` ascending; unknown names give the default. */
export function parseOrder(value: string | null, keys: string[], fallback: Order): Order {
  const key = value?.replace(/^-/, "") ?? "";
  return keys.includes(key) ? { key, isDescending: value?.startsWith("-") ?? false } : fallback;
}

export const orderText = (order: Order) => `${order.isDescending ? "-" : ""}${order.key}`;

/** Rows without a value come last in both directions; equal ones keep the server's order. */
export function sortRows<Row>(rows: Row[], columns: SortBy<Row>[], order: Order): Row[] {
  const valueOf = columns.find((column) => column.key === order.key)?.sortValue;
  if (!valueOf) return rows;
  const sign = order.isDescending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [left, right] = [valueOf(a), valueOf(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    if (typeof left === "string" || typeof right === "string")
      return sign * String(left).localeCompare(String(right), "en");
    return sign * (left - right);
  });
}

/** Rows in whose text every word of the filter occurs, in either case. */
export function filterRows<Row>(rows: Row[], textOf: (row: Row) => string, filter: string): Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = textOf(row).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
