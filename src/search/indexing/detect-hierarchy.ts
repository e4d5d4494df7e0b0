import { valuesAt } from "../file/attribute-values.ts";
import type { IndexSettings, SearchDocument } from "../contract/types.ts";

/** Documents that are looked at; the others are like them. */
const SAMPLE = 200;
const LEVELS = [0, 1, 2, 3, 4, 5, 6];

/**
 * How DocSearch records make up pages, read off the records: for crawlers that know nothing of `hierarchy` but ask
 * for one hit per address (`distinctAttribute: "url"`). null if the documents are something else.
 */
export function detectHierarchy(documents: readonly SearchDocument[]): IndexSettings["hierarchy"] {
  const sample = documents.slice(0, SAMPLE);
  const isRecord = (document: SearchDocument) => typeof document.url === "string" && "content" in document;
  if (sample.length === 0 || !sample.every(isRecord)) return null;
  for (const nameOf of [
    (level: number) => `hierarchy_lvl${level}`,
    (level: number) => `hierarchy.lvl${level}`,
  ]) {
    const levels = LEVELS.map(nameOf).filter((name) =>
      sample.some((document) => valuesAt(document, name).length > 0),
    );
    if (levels.length >= 2 && levels[0] === nameOf(0)) return { url: "url", levels, content: "content" };
  }
  return null;
}
