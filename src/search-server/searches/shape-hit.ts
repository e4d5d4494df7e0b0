/** What hits get beyond their own attributes: their vectors, and documents of other indexes in the place of ids. */
import {
  createAttributePicker,
  type DocumentSet,
  evaluateFilter,
  type Hit,
  type Json,
  type OpenedIndex,
  SearchError,
  type SearchDocument,
  setOwn,
  VECTORS,
  type Work,
  WorkOf,
} from "#search/index.ts";
import type { SearchStore, StoredIndex } from "../catalog/store.ts";
import type { Restrict } from "../keys/guards.ts";
import { ApiError } from "../protocol/errors.ts";
import { MAX_FOREIGN_DOCUMENTS } from "../protocol/limits.ts";
import { vectorsOf } from "./result-steps.ts";

export interface ShapeOptions {
  store: SearchStore;
  hasVectors: boolean;
  /** Which documents of an index the sender may find; absent: the server itself is searching. */
  restrict?: Restrict | undefined;
  work: Work;
}

export type Shape = (hit: Hit) => Hit;

/** null: hits stay as they are. */
export function createShape({ index, protocol }: StoredIndex, options: ShapeOptions): Shape | null {
  const { hasVectors, work } = options;
  const keys = protocol.foreignKeys ?? [];
  if (!hasVectors && keys.length === 0) return null;
  const foreign = new Map(keys.map(({ foreignIndexUid: uid }) => [uid, openForeign(uid, options)]));
  return (hit) => {
    let document = hit.document;
    let left = MAX_FOREIGN_DOCUMENTS;
    for (const { fieldName, foreignIndexUid } of keys) {
      const find = foreign.get(foreignIndexUid);
      if (!find) continue;
      document = replaceAt(document, fieldName, (id) => {
        if (left === 0 || work.isOver()) return null;
        left -= 1;
        return find(id);
      });
    }
    return { ...hit, document: hasVectors ? { ...document, ...vectorsOf(index, hit.id) } : document };
  };
}

/** null: the id stays. */
type Find = (id: string | number) => SearchDocument | null;

/** null: the sender may not search the index, or it does not exist; then the ids stay, which reveals nothing about it. */
function openForeign(uid: string, { store, restrict, work }: ShapeOptions): Find | null {
  const stored = store.get(uid);
  if (!stored) return null;
  let visible: DocumentSet | null;
  try {
    const rule = restrict?.(uid, null);
    visible = rule == null ? null : evaluateFilter(stored.index, rule);
  } catch (error) {
    // The rule may name an attribute by which only other indexes can be filtered.
    if (error instanceof ApiError || error instanceof SearchError) return null;
    throw error;
  }
  const pick = createAttributePicker(stored.index.settings.displayedAttributes);
  return (id) => {
    work.add(WorkOf.document);
    const number = stored.index.findDocument(id);
    if (number < 0 || (visible && visible[number] !== 1)) return null;
    return pick(withoutVectors(stored.index, number));
  };
}

const withoutVectors = (index: OpenedIndex, number: number) =>
  index.readDocument(number, (name) => name !== VECTORS);

/** A copy with documents at the path; an attribute whose own name has dots wins over the path. */
function replaceAt(document: SearchDocument, path: string, find: Find): SearchDocument {
  const name = Object.hasOwn(document, path) ? path : path.split(".", 1)[0]!;
  if (!Object.hasOwn(document, name)) return document;
  const copy = { ...document };
  const rest = name === path ? null : path.slice(name.length + 1);
  setOwn(
    copy,
    name,
    rest === null ? replaceIds(document[name]!, find) : descend(document[name]!, rest, find),
  );
  return copy;
}

function descend(value: Json, path: string, find: Find): Json {
  if (Array.isArray(value)) return value.map((item) => descend(item, path, find));
  return value !== null && typeof value === "object" ? replaceAt(value, path, find) : value;
}

function replaceIds(value: Json, find: Find): Json {
  return Array.isArray(value) ? value.map((item) => replaceId(item, find)) : replaceId(value, find);
}

function replaceId(value: Json, find: Find): Json {
  return typeof value === "string" || typeof value === "number" ? (find(value) ?? value) : value;
}
