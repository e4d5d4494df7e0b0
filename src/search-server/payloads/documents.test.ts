/** A record of a CSV has a bounded number of fields, and so have all of a payload, counted as they are read. */
import { expect, test } from "vitest";
import { parseDocuments } from "./documents.ts";
import { MAX_CSV_COLUMNS, MAX_CSV_FIELDS } from "../protocol/limits.ts";

const form = { type: "text/csv", delimiter: "," } as const;
const record = (fields: number) => Array.from({ length: fields }, (_, at) => `f${at}`).join(",");

test("fields of a record", () => {
  const most = record(MAX_CSV_COLUMNS);
  const [document] = parseDocuments(`${most}\n${most}`, form);
  expect(Object.keys(document!)).toHaveLength(MAX_CSV_COLUMNS);
  expect(() => parseDocuments(`${record(MAX_CSV_COLUMNS + 1)}\n1`, form)).toThrow(/more than 1000 fields/);
  expect(() => parseDocuments(`a,b\n${",".repeat(MAX_CSV_COLUMNS)}`, form)).toThrow(/more than 1000 fields/);
});

test("fields of all records", () => {
  const rows = (count: number) => `${record(1000)}\n${`${",".repeat(999)}\n`.repeat(count)}`;
  expect(parseDocuments(rows(10), form)).toHaveLength(10);
  expect(() => parseDocuments(rows(MAX_CSV_FIELDS / 1000), form)).toThrow(
    /more than 1000000 fields; send fewer/,
  );
  expect(() => parseDocuments(`a\n${"x\n".repeat(MAX_CSV_FIELDS)}`, form)).not.toThrow();
});
