/** A record of a CSV has a bounded number of fields, counted before it is a document. */
import { expect, test } from "vitest";
import { parseDocuments } from "./documents-payload.ts";
import { MAX_CSV_FIELDS } from "./limits.ts";

const form = { type: "text/csv", delimiter: "," } as const;
const record = (fields: number) => Array.from({ length: fields }, (_, at) => `f${at}`).join(",");

test("fields of a record", () => {
  const most = record(MAX_CSV_FIELDS);
  const [document] = parseDocuments(`${most}\n${most}`, form);
  expect(Object.keys(document!)).toHaveLength(MAX_CSV_FIELDS);
  const tooMany = record(MAX_CSV_FIELDS + 1);
  expect(() => parseDocuments(`${tooMany}\n1`, form)).toThrow(/more than 10000 fields/);
  expect(() => parseDocuments(`a,b\n${",".repeat(MAX_CSV_FIELDS)}`, form)).toThrow(/more than 10000 fields/);
});
