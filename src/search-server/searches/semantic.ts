/**
 * Searches with a vector, alone or beside words. With both, each list is ranked by its own scores, times its share
 * (`semanticRatio`), and the better half of two scores decides a document's place.
 */
import {
  compileDistinct,
  type DistinctKey,
  type DocumentSet,
  dropRepeats,
  filterSteps,
  findSteps,
  type FoundHit,
  type FoundPage,
  getOwn,
  type OpenedIndex,
  pageWindow,
  type SearchQuery,
  type Steps,
  type Work,
  WorkOf,
} from "#search/index.ts";
import type { StoredIndex } from "../catalog/store.ts";
import { ApiError } from "../protocol/errors.ts";
import type { Embedder } from "../settings/embedders.ts";
import { type Nearest, nearestSteps } from "../vectors/nearest.ts";
import type { SearchBody } from "./schema.ts";

export interface Semantic {
  name: string;
  embedder: Embedder;
  vector: readonly number[];
  /** The share of the vector: 1 is the vector alone. */
  ratio: number;
}

export interface SemanticPage extends FoundPage {
  /** Whether the vector, and not words, found a hit. */
  isNear: (hit: FoundHit) => boolean;
}

const DEFAULT_RATIO = 0.5;

/** What a body asks of vectors; null: a search by words. @throws ApiError */
export function semanticOf(body: SearchBody, stored: StoredIndex): Semantic | null {
  const { hybrid, vector } = body;
  if (hybrid == null) {
    if (vector == null) return null;
    throw new ApiError(
      "missing_search_hybrid",
      "Invalid request: missing `hybrid` parameter when `vector` is present.",
    );
  }
  const embedder = embedderOf(stored, hybrid.embedder, "invalid_search_embedder");
  const q = body.q?.trim() ?? "";
  const asked = hybrid.semanticRatio ?? DEFAULT_RATIO;
  if (asked === 0 || (vector == null && q === "")) return null;
  if (vector != null) return { name: hybrid.embedder, embedder, vector, ratio: q === "" ? 1 : asked };
  throw new ApiError(
    "vector_embedding_error",
    `This server does not make vectors of a query: send the query's own as \`vector\`, or \`hybrid.semanticRatio\` 0 to search by words.`,
  );
}

/** @throws ApiError */
export function embedderOf({ protocol, uid }: StoredIndex, name: string, code: string): Embedder {
  const embedder = getOwn(protocol.embedders ?? {}, name);
  if (embedder) return embedder;
  throw new ApiError(code, `Index \`${uid}\`: Cannot find embedder with name \`${name}\`.`);
}

/** As `findSteps` for words. */
export function* semanticPageSteps(
  index: OpenedIndex,
  query: SearchQuery & { work: Work },
  semantic: Semantic,
): Steps<SemanticPage> {
  const { offset, limit, isPaged } = pageWindow(query, index.settings.maxTotalHits);
  const { page: _, hitsPerPage: __, ...others } = query;
  const wanted = offset + limit;
  const byWords = yield* findSteps(index, {
    ...others,
    offset: 0,
    limit: semantic.ratio === 1 ? 0 : wanted,
    // So that all matches are known.
    facets: query.facets ?? [],
  });
  const filter = yield* filterSteps(index, query.filter, query.work);
  const keyOf = distinctKey(index, query);
  const nearest = yield* nearestOf(index, { query, semantic, filter, keyOf });
  const words = semantic.ratio === 1 ? [] : byWords.hits;
  const byVector = nearest.slice(0, wanted).map(toFound);
  const all = merge(words, byVector, { ratio: semantic.ratio, keyOf });
  const matching = unite(semantic.ratio === 1 ? null : byWords.matching, nearest, keyOf);
  const near = new Set(byVector);
  return {
    ...byWords,
    hits: all.slice(offset, wanted),
    total: Math.min(matching.length, index.settings.maxTotalHits),
    isTotalExact: isPaged,
    matching: query.facets ? matching : null,
    isNear: (hit) => near.has(hit),
  };
}

/** All of them, without repeated values of the distinct attribute. */
function* nearestOf(
  index: OpenedIndex,
  {
    query,
    semantic,
    filter,
    keyOf,
  }: {
    query: SearchQuery & { work: Work };
    semantic: Semantic;
    filter: DocumentSet | null;
    keyOf: DistinctKey | null;
  },
): Steps<Nearest[]> {
  const { work, minScore = 0 } = query;
  const all = yield* nearestSteps(index, { ...semantic, filter, work });
  const near = minScore > 0 ? all.filter(({ similarity }) => similarity >= minScore) : all;
  if (!keyOf) return near;
  work.add(near.length * WorkOf.unit);
  return dropRepeats(near, ({ document }) => document, keyOf);
}

export function toFound({ document, similarity }: Nearest): FoundHit {
  const explain = () => ({ vectorSort: { order: 0, similarity } });
  return { unit: -1, document, score: similarity, explain };
}

/** As for words; also for sections, whose records have vectors of their own. */
function distinctKey(index: OpenedIndex, query: SearchQuery): DistinctKey | null {
  const attribute = query.distinct ?? index.settings.distinctAttribute;
  return attribute === null ? null : compileDistinct(index, attribute);
}

/** Both lists come in their order; a document, and a value of the distinct attribute, stays where it comes first. */
function merge(
  words: readonly FoundHit[],
  near: readonly FoundHit[],
  { ratio, keyOf }: { ratio: number; keyOf: DistinctKey | null },
): FoundHit[] {
  const merged: FoundHit[] = [];
  const seen = new Set<number>();
  for (let word = 0, vector = 0; word < words.length || vector < near.length;) {
    const [byWord, byVector] = [words[word], near[vector]];
    const isNear = byVector !== undefined && (!byWord || byVector.score * ratio > byWord.score * (1 - ratio));
    const hit = (isNear ? byVector : byWord)!;
    if (isNear) vector++;
    else word++;
    if (seen.has(hit.document)) continue;
    seen.add(hit.document);
    merged.push(hit);
  }
  return keyOf ? dropRepeats(merged, ({ document }) => document, keyOf) : merged;
}

/** Every match, one document of each value of the distinct attribute: what totals and facets count. */
function unite(
  first: Uint32Array | null,
  second: readonly Nearest[],
  keyOf: DistinctKey | null,
): Uint32Array {
  const all = new Set(first ?? []);
  for (const { document } of second) all.add(document);
  return Uint32Array.from(keyOf ? dropRepeats([...all], (document) => document, keyOf) : all);
}
