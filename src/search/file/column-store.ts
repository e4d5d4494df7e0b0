import { coversPath } from "../contract/attribute-paths.ts";
import {
  type Column,
  ColumnState,
  type IndexSettings,
  type Json,
  type Scalar,
  type SearchDocument,
} from "../contract/types.ts";
import { leafPaths, valuesAt } from "./attribute-values.ts";
import type { Container, FileArray } from "./container.ts";
import { NumberList } from "./number-list.ts";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

/** Columns of every attribute that can be filtered, sorted, made distinct or ranked by. */
export function writeColumns(
  documents: readonly SearchDocument[],
  settings: IndexSettings,
): { [name: string]: FileArray } {
  const wanted = columnSettings(settings);
  const paths = new Set<string>();
  if (wanted.length > 0) for (const document of documents) leafPaths(document, paths);
  const names = [...paths].filter((path) => coversPath(wanted, path)).sort();
  const arrays: { [name: string]: FileArray } = { "columns.names": encodeUtf8(JSON.stringify(names)) };
  names.forEach((name, number) => {
    const column = makeColumn(documents, name);
    arrays[`column.${number}.values`] = encodeUtf8(JSON.stringify(column.values));
    arrays[`column.${number}.starts`] = column.starts;
    arrays[`column.${number}.refs`] = column.refs;
    arrays[`column.${number}.states`] = column.states;
  });
  return arrays;
}

function columnSettings(settings: IndexSettings): string[] {
  const ruled = settings.rankingRules.flatMap((rule) => /^(.+):(?:asc|desc)$/.exec(rule)?.[1] ?? []);
  const distinct = settings.distinctAttribute === null ? [] : [settings.distinctAttribute];
  return [...settings.filterableAttributes, ...settings.sortableAttributes, ...ruled, ...distinct];
}

function makeColumn(documents: readonly SearchDocument[], attribute: string): Column {
  const numbers = new Map<Scalar, number>();
  const starts = new NumberList();
  const refs = new NumberList();
  const states = new Uint8Array(documents.length);
  documents.forEach((document, id) => {
    starts.push(refs.length);
    const found = valuesAt(document, attribute);
    const scalars = new Set(found.flatMap(scalarsOf));
    states[id] = stateOf(found, scalars.size);
    for (const scalar of scalars) {
      if (!numbers.has(scalar)) numbers.set(scalar, numbers.size);
      refs.push(numbers.get(scalar)!);
    }
  });
  starts.push(refs.length);
  const values = [...numbers.keys()].sort(compareScalars);
  const renumbered = new Uint32Array(values.length);
  values.forEach((value, number) => (renumbered[numbers.get(value)!] = number));
  const sortedRefs = refs.view().map((ref) => renumbered[ref]!);
  return { attribute, values, starts: starts.view().slice(), refs: sortedRefs, states };
}

function scalarsOf(value: Json): Scalar[] {
  if (Array.isArray(value)) return value.flatMap(scalarsOf);
  return value === null || typeof value === "object" ? [] : [value];
}

function stateOf(found: Json[], scalars: number): number {
  if (found.length === 0) return ColumnState.absent;
  if (found.every((value) => value === null)) return ColumnState.null;
  if (found.every(isEmpty)) return ColumnState.empty;
  return scalars > 0 ? ColumnState.present : ColumnState.empty;
}

function isEmpty(value: Json): boolean {
  if (value === "") return true;
  return value !== null && typeof value === "object" && Object.keys(value).length === 0;
}

function compareScalars(a: Scalar, b: Scalar): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "number") return -1;
  if (typeof b === "number") return 1;
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : left > right ? 1 : typeof a < typeof b ? -1 : 1;
}

/** Reads columns on first use. */
export class ColumnStore {
  readonly names: readonly string[];
  private readonly file: Container;
  private readonly columns = new Map<string, Column>();

  constructor(file: Container) {
    this.file = file;
    this.names = this.json<string[]>("columns.names");
  }

  column(attribute: string): Column | null {
    const known = this.columns.get(attribute);
    if (known) return known;
    const number = this.names.indexOf(attribute);
    if (number < 0) return null;
    const column: Column = {
      attribute,
      values: this.json<Scalar[]>(`column.${number}.values`),
      starts: this.file.words(`column.${number}.starts`),
      refs: this.file.words(`column.${number}.refs`),
      states: this.file.bytes(`column.${number}.states`),
    };
    this.columns.set(attribute, column);
    return column;
  }

  // Written by `writeColumns` with this type, proved by the file's checksum.
  private json<T>(name: string): T {
    const bytes = this.file.bytes(name);
    return JSON.parse(decodeUtf8(bytes, 0, bytes.length)) as T;
  }
}
