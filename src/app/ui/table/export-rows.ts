import { toCsv } from "#platform/text/csv.ts";
import type { TableColumn } from "./table-types.ts";

export type ExportFormat = "csv" | "json";

interface Input<Row> {
  format: ExportFormat;
  columns: readonly TableColumn<Row>[];
  /** Page by page. */
  pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
  /** Number of rows written. */
  onProgress: (count: number) => void;
  signal: AbortSignal;
}

/** Every row as CSV or JSON: the values of the columns' `value`, by their keys. @throws the reason of the signal */
export async function exportRows<Row>(input: Input<Row>): Promise<Blob> {
  const { format, columns, pages, onProgress, signal } = input;
  const parts: string[] = [];
  let count = 0;
  for await (const rows of pages) {
    signal.throwIfAborted();
    if (rows.length === 0) continue;
    const values = rows.map((row) => Object.fromEntries(columns.map(({ key, value }) => [key, value(row)])));
    parts.push(format === "csv" ? csvOf(values, columns, count === 0) : jsonOf(values, count === 0));
    count += rows.length;
    onProgress(count);
  }
  signal.throwIfAborted();
  if (format === "csv" && count === 0) parts.push(csvOf([], columns, true));
  if (format === "json") parts.push(count === 0 ? "[]\n" : "\n]\n");
  return new Blob(parts, { type: format === "csv" ? "text/csv" : "application/json" });
}

function csvOf<Row>(values: readonly object[], columns: readonly TableColumn<Row>[], isFirst: boolean) {
  const text = toCsv(
    values,
    columns.map(({ key }) => key),
  );
  return isFirst ? text : text.slice(text.indexOf("\r\n") + 2);
}

/** One row per line. */
const jsonOf = (values: readonly object[], isFirst: boolean) =>
  `${isFirst ? "[\n" : ",\n"}${values.map((value) => `  ${JSON.stringify(value)}`).join(",\n")}`;
