/** Documents as they arrive: JSON (one or many), NDJSON (one per line) or CSV (first line: names and types). */
import type { Json, SearchDocument } from "#search/index.ts";
import { ApiError } from "../protocol/errors.ts";
import { MAX_CSV_COLUMNS, MAX_CSV_FIELDS, MAX_JSON_DEPTH } from "../protocol/limits.ts";
import { isTooDeep } from "./parse-json-body.ts";

export type PayloadType = "application/json" | "application/x-ndjson" | "text/csv";

const TYPES: readonly PayloadType[] = ["application/json", "application/x-ndjson", "text/csv"];

export function payloadType(contentType: string | undefined): PayloadType {
  const accepted = TYPES.map((type) => `\`${type}\``).join(", ");
  if (!contentType) {
    throw new ApiError(
      "missing_content_type",
      `A Content-Type header is missing. Accepted values for the Content-Type header are: ${accepted}`,
    );
  }
  const bare = contentType.split(";")[0]!.trim().toLowerCase();
  const type = TYPES.find((known) => known === bare);
  if (type) return type;
  throw new ApiError(
    "invalid_content_type",
    `The Content-Type \`${contentType}\` is invalid. Accepted values for the Content-Type header are: ${accepted}`,
  );
}

export interface DocumentsForm {
  type: PayloadType;
  /** The separator of fields in a CSV record. */
  delimiter: string;
}

/** @throws ApiError `missing_payload` or `malformed_payload` */
export function parseDocuments(text: string, { type, delimiter }: DocumentsForm): SearchDocument[] {
  if (text.trim() === "") {
    throw new ApiError("missing_payload", `A ${shortName(type)} payload is missing.`);
  }
  if (type === "text/csv") return parseCsv(text, delimiter);
  const values: unknown[] =
    type === "application/json"
      ? [parseJson(text, type)].flat(1)
      : text
          .split("\n")
          .filter((line) => line.trim() !== "")
          .map((line) => parseJson(line, type));
  for (const value of values) {
    if (value === null || typeof value !== "object" || Array.isArray(value)) {
      throw malformed(type, `expected a document (an object), but found \`${cut(JSON.stringify(value))}\``);
    }
  }
  // Every element has just been checked to be an object, and JSON.parse only makes JSON.
  return values as SearchDocument[];
}

function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function parseJson(text: string, type: PayloadType): unknown {
  if (isTooDeep(text)) {
    throw malformed(type, `it is nested more than ${MAX_JSON_DEPTH} levels deep`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformed(type, error instanceof Error ? error.message : String(error));
  }
}

function malformed(type: PayloadType, reason: string): ApiError {
  return new ApiError(
    "malformed_payload",
    `The \`${shortName(type)}\` payload provided is malformed: \`${reason}\`.`,
  );
}

function shortName(type: PayloadType): string {
  return { "application/json": "json", "application/x-ndjson": "ndjson", "text/csv": "csv" }[type];
}

function parseCsv(text: string, delimiter: string): SearchDocument[] {
  let columns: { name: string; type: string }[] | undefined;
  const documents: SearchDocument[] = [];
  eachCsvRow(text, delimiter, (row) => {
    if (columns) documents.push(csvDocument(row, columns, documents.length + 1));
    else columns = row.map(csvColumn);
  });
  return documents;
}

function csvColumn(head: string): { name: string; type: string } {
  const [, name, type] = /^(.*):(string|number|boolean)$/.exec(head) ?? [null, head, "string"];
  return { name: name!, type: type! };
}

function csvDocument(
  row: readonly string[],
  columns: readonly { name: string; type: string }[],
  record: number,
): SearchDocument {
  if (row.length !== columns.length)
    throw malformed(
      "text/csv",
      `record ${record} has ${row.length} fields, but the header has ${columns.length}`,
    );
  return Object.fromEntries(columns.map(({ name, type }, at) => [name, csvValue(row[at]!, type, record)]));
}

function csvValue(cell: string, type: string, row: number): Json {
  if (type === "string") return cell;
  if (cell === "") return null;
  if (type === "boolean") {
    if (cell === "true" || cell === "false") return cell === "true";
    throw malformed("text/csv", `Error parsing boolean \`${cell}\` at record ${row}`);
  }
  const number = Number(cell);
  if (!Number.isFinite(number))
    throw malformed("text/csv", `Error parsing number \`${cell}\` at record ${row}`);
  return number;
}

/**
 * RFC 4180: quoted fields may contain delimiters, line breaks and doubled quotes. Fields are cut out whole: a field of 4 MB
 * that is put together sign by sign takes 340 MB.
 */
function eachCsvRow(text: string, delimiter: string, take: (row: string[]) => void): void {
  let row: string[] = [];
  let cell = "";
  let fields = 0;
  const endRow = () => {
    if (row.length === 0 && cell === "") return;
    fields += 1;
    row.push(cell);
    take(row);
    row = [];
    cell = "";
  };
  const [nextDelimiter, nextLine] = [finder(text, delimiter), finder(text, "\n")];
  for (let at = 0; at < text.length;) {
    if (text[at] === '"' && cell === "") {
      const end = endOfQuoted(text, at + 1);
      cell = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
      continue;
    }
    if (text[at] === "\r" && delimiter !== "\r") {
      at += 1;
      continue;
    }
    const end = Math.min(nextDelimiter(at), nextLine(at));
    const plain = text.slice(at, end);
    cell += plain.includes("\r") ? plain.replaceAll("\r", "") : plain;
    at = end + 1;
    if (end === text.length) break;
    if (text[end] !== delimiter) endRow();
    else {
      row.push(cell);
      cell = "";
      fields += 1;
      if (row.length >= MAX_CSV_COLUMNS)
        throw malformed("text/csv", `a record has more than ${MAX_CSV_COLUMNS} fields`);
      if (fields >= MAX_CSV_FIELDS)
        throw malformed(
          "text/csv",
          `there are more than ${MAX_CSV_FIELDS} fields; send fewer records at once`,
        );
    }
  }
  endRow();
}

/** The next place of the sign, for places that only grow: each place of the text is checked only once. */
function finder(text: string, sign: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found >= from) return found;
    const next = text.indexOf(sign, from);
    return (found = next < 0 ? text.length : next);
  };
}

/** @throws ApiError when the field does not end */
function endOfQuoted(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end < 0) throw malformed("text/csv", "a quoted field is not closed");
  return end;
}
