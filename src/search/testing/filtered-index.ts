import { defaultSettings } from "../contract/defaults.ts";
import {
  type Column,
  ColumnState,
  type Index,
  type IndexSettings,
  type Json,
  type Scalar,
  type SearchDocument,
} from "../contract/types.ts";

/** An index for tests of code that only reads columns: made from documents in a few lines, with nothing to search in. */
export function testIndex(documents: SearchDocument[], settings: Partial<IndexSettings> = {}): Index {
  const all = { ...defaultSettings(), ...settings };
  const paths = new Set(documents.flatMap((document) => pathsOf(document, "")));
  const columns = new Map([...paths].map((path) => [path, columnOf(documents, path)]));
  return {
    settings: all,
    documentCount: documents.length,
    document: (id) => ({ ...documents[id]! }),
    column: (attribute) => columns.get(attribute) ?? null,
    columnNames: [...columns.keys()],
    fieldCounts: {},
  };
}

function pathsOf(value: Json, prefix: string): string[] {
  if (value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, prefix));
  return Object.entries(value).flatMap(([key, item]) => [prefix + key, ...pathsOf(item, `${prefix}${key}.`)]);
}

/** All values at a path, through arrays. */
export function valuesAt(document: SearchDocument, path: string): Json[] {
  return path.split(".").reduce<Json[]>(
    (values, name) =>
      values.flat(1).flatMap((value) => {
        if (value === null || typeof value !== "object" || Array.isArray(value)) return [];
        return Object.hasOwn(value, name) ? [value[name]!] : [];
      }),
    [document],
  );
}

function columnOf(documents: SearchDocument[], path: string): Column {
  const perDocument = documents.map((document) => valuesAt(document, path));
  const scalars = perDocument.map((values) =>
    values.flat(1).filter((value): value is Scalar => value !== null && typeof value !== "object"),
  );
  const values = [...new Set(scalars.flat())].sort(compareScalars);
  const starts = [0];
  const refs: number[] = [];
  for (const own of scalars) {
    refs.push(...new Set(own.map((value) => values.indexOf(value))));
    starts.push(refs.length);
  }
  return {
    attribute: path,
    values,
    starts: Uint32Array.from(starts),
    refs: Uint32Array.from(refs),
    states: Uint8Array.from(perDocument.map(stateOf)),
  };
}

function compareScalars(a: Scalar, b: Scalar): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "number" || typeof b === "number") return typeof a === "number" ? -1 : 1;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

function stateOf(values: Json[]): number {
  const [value] = values;
  if (value === undefined) return ColumnState.absent;
  if (value === null) return ColumnState.null;
  const isEmpty = value === "" || (typeof value === "object" && Object.keys(value).length === 0);
  return isEmpty ? ColumnState.empty : ColumnState.present;
}
