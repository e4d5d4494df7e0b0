import { defaultSettings } from "../contract/defaults.ts";
import { writeDictionary } from "../dictionary/dictionary.ts";
import { writeColumns } from "../file/column-store.ts";
import { containerOfArrays, type FileArray, writeContainer } from "../file/container.ts";
import { writeDocuments } from "../file/document-store.ts";
import { packDifferences, packNumbers } from "../file/number-list.ts";
import { encodeUtf8 } from "../file/utf8.ts";
import { findHits } from "../hits/find-hits.ts";
import { getOwn } from "../contract/own-properties.ts";
import { openContainer, type OpenedIndex } from "../reader/open-index.ts";
import { parseOptions, parseQuery } from "../query/parse-query.ts";
import { createTokenizer } from "../text/tokenize.ts";
import { type IndexSettings, type SearchDocument, SearchError } from "../contract/types.ts";
import { SECTION_LENGTH_NORMS, SECTION_WEIGHTS } from "../contract/unit-fields.ts";
import { type FieldModel, type InvertedUnits, Inverter } from "./inverter.ts";
import { detectHierarchy } from "./detect-hierarchy.ts";
import { planUnits, type UnitSource } from "./units.ts";
import { type FindPrefix, writeShortAnswers } from "./write-short-answers.ts";

export interface BuildOptions {
  /** Called now and then with the part of the work that is done, 0 to 1. */
  onProgress?: (done: number) => void;
}

/**
 * One immutable index file of all documents, in their order. The primary key must be a string or an integer and is
 * unique: of two documents with the same key the later one wins, in the earlier one's place.
 * Throws `SearchError` `missing_document_id` or `invalid_document_id`.
 */
export function buildIndex(
  documents: readonly SearchDocument[],
  settings: Partial<IndexSettings>,
  options: BuildOptions = {},
): Uint8Array<ArrayBuffer> {
  const given = { ...defaultSettings(), ...settings };
  const kept = keepLatest(documents, given.primaryKey);
  const isPerAddress = given.hierarchy === null && given.distinctAttribute === "url";
  const full = isPerAddress ? { ...given, hierarchy: detectHierarchy(kept) } : given;
  const { attributes, units } = planUnits(kept, full);
  const inverter = new Inverter(createTokenizer(full), fieldModel(full));
  units.forEach((unit, number) => {
    inverter.add(unit);
    if (number % 1000 === 999) options.onProgress?.((0.7 * number) / units.length);
  });
  const inverted = inverter.finish();
  options.onProgress?.(0.8);
  const arrays = {
    meta: encodeUtf8(JSON.stringify({ settings: full, attributes, fieldCounts: countFields(kept) })),
    ...writeDictionary(inverted.terms),
    ...writeUnits(units, inverted),
    ...writeColumns(kept, full),
    ...writeDocuments(kept),
  };
  // The answers to one and two letters come from searching the index built up to here.
  const short = full.hierarchy ? answerLetters(openContainer(containerOfArrays(arrays), 0)) : {};
  const bytes = writeContainer({ ...arrays, ...short });
  options.onProgress?.(1);
  return bytes;
}

function answerLetters(index: OpenedIndex): { [name: string]: FileArray } {
  const find: FindPrefix = (q, count) => {
    const { words, excluded } = parseQuery(q, parseOptions(index));
    const isOneWord = words.length === 1 && words[0]!.word === q && words[0]!.isPrefix;
    // The clock stands still, so that there is no time limit.
    return isOneWord && excluded.length === 0 ? findHits(index, { q, now: () => 0 }, null, count) : null;
  };
  return writeShortAnswers(index, find);
}

function keepLatest(documents: readonly SearchDocument[], primaryKey: string): SearchDocument[] {
  const byKey = new Map<string, SearchDocument>();
  documents.forEach((document, at) => {
    const key = getOwn(document, primaryKey);
    if (key === undefined || key === null || key === "") {
      throw new SearchError(
        "missing_document_id",
        `Document ${at} has no \`${primaryKey}\`, its primary key.`,
      );
    }
    if (typeof key !== "string" && !Number.isInteger(key)) {
      const found = JSON.stringify(key);
      throw new SearchError(
        "invalid_document_id",
        `Document ${at} has the \`${primaryKey}\` ${found}; a primary key is a string or an integer.`,
      );
    }
    byKey.set(String(key), document);
  });
  return [...byKey.values()];
}

function fieldModel(settings: IndexSettings): FieldModel {
  if (settings.hierarchy) return { weights: SECTION_WEIGHTS, lengthNorms: SECTION_LENGTH_NORMS };
  const names = settings.searchableAttributes;
  // From 3 for the first attribute to 1 for the last; ranking rules make finer distinctions.
  const weights = names.map((_, at) => 1 + (2 * (names.length - 1 - at)) / Math.max(1, names.length - 1));
  return { weights: weights.slice(0, 256), lengthNorms: weights.map(() => 0.5) };
}

function countFields(documents: readonly SearchDocument[]): { [attribute: string]: number } {
  const counts = new Map<string, number>();
  for (const document of documents) {
    for (const name of Object.keys(document)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

function writeUnits(units: readonly UnitSource[], inverted: InvertedUnits): { [name: string]: FileArray } {
  const documentStarts = new Uint32Array(units.length + 1);
  units.forEach(
    (unit, number) => (documentStarts[number + 1] = documentStarts[number]! + unit.documents.length),
  );
  return {
    "postings.starts": inverted.postingStarts,
    "postings.units": packNumbers(inverted.postingUnits),
    "postings.impacts": inverted.postingImpacts,
    "units.stream": packNumbers(inverted.stream),
    "units.blocks": inverted.unitBlocks,
    "units.pages": packNumbers(Uint32Array.from(units, (unit) => unit.page)),
    "units.documentStarts": documentStarts,
    "units.documents": packNumbers(Uint32Array.from(units.flatMap((unit) => unit.documents))),
    "blocks.lengths": packDifferences(inverted.blockStarts),
    "blocks.fields": inverted.blockFields,
    "blocks.attributes": packNumbers(inverted.blockAttributes),
    "blocks.documents": packNumbers(inverted.blockDocuments),
  };
}
