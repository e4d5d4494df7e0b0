/** Answers as a table, as JSON with the field names of the API, or as CSV. */
import type { DescMessage, JsonValue, MessageShape } from "@bufbuild/protobuf";
import { toJson } from "@bufbuild/protobuf";
import { timestampDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import { formatTable } from "./table.ts";
import type { Terminal } from "./terminal.ts";
import { cleanJson, cleanText } from "./text.ts";

export type Record = { [field: string]: JsonValue };

interface Column<Item> {
  heading: string;
  text: (item: Item) => string;
}

interface ListOutput<Item> {
  format: string | undefined;
  columns: readonly Column<Item>[];
  /** The object for programs: the same fields in every row. */
  record: (item: Item) => Record;
}

/** Every field, zero values included, so that all CSV rows have the same fields; unset times and messages are absent. */
export function messageRecord<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): Record {
  const json = toJson(schema, message, { useProtoFieldName: true, alwaysEmitImplicit: true });
  // Messages other than well-known types become objects.
  return json as Record;
}

export function printList<Item>(terminal: Terminal, items: readonly Item[], output: ListOutput<Item>): void {
  const { format, columns, record } = output;
  if (format === "json") return terminal.out(`${cleanJson(items.map(record))}\n`);
  if (format === "csv") return terminal.out(formatCsv(items.map(record)));
  const rows = items.map((item) => columns.map(({ text }) => cleanText(text(item))));
  const headings = columns.map(({ heading }) => heading);
  terminal.out(formatTable(headings, rows, { width: terminal.width, heading: terminal.bold }));
}

/** RFC 4180 with `\n`. The header names every field that any record has. */
export function formatCsv(records: readonly Record[]): string {
  const fields = [...new Set(records.flatMap((record) => Object.keys(record)))];
  if (fields.length === 0) return "";
  const line = (cells: string[]) => `${cells.map(quoteCsv).join(",")}\n`;
  return line(fields) + records.map((record) => line(fields.map((field) => csvText(record[field])))).join("");
}

function csvText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  return cleanText(typeof value === "object" ? cleanJson(value) : String(value));
}

function quoteCsv(cell: string): string {
  return /[",]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** `2026-11-20`, in UTC as in the API. */
export function formatDay(time: Timestamp | undefined, absent = "never"): string {
  return time ? timestampDate(time).toISOString().slice(0, 10) : absent;
}
