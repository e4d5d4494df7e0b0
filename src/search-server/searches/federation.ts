/**
 * Federated search: several queries, one list. Each hit's ranking score is multiplied by its query's weight;
 * the lists are merged by that and by sort values. A document found by two queries appears once, at its first
 * place.
 */
import {
  findSteps,
  type FoundHit,
  type FoundPage,
  getOwn,
  type SearchQuery,
  type Steps,
  type Trace,
  type Work,
  WorkOf,
} from "#search/index.ts";
import { inQuery, translateErrors } from "./engine-errors.ts";
import { federatedFacetSteps } from "./federation-facets.ts";
import type { FederatedQuery, FederatedSearch } from "./federated-search.ts";
import { type FederatedHit, mergeByRank, sortKeyOf } from "./federation-order.ts";
import { refusePerQueryOptions } from "./federation-refusals.ts";
import { checkIndexUid } from "../protocol/index-uid.ts";
import { createStages, metadataOf } from "./request-extras.ts";
import type { Placed } from "../pins/place-pins.ts";
import type { RequestWork } from "./request-work.ts";
import { toHitJson, toSearchQuery } from "./json.ts";
import { createShape, type Shape } from "./shape-hit.ts";
import type { FederationBody } from "./schema.ts";
import { semanticOf, type SemanticPage, semanticPageSteps } from "./semantic.ts";
import type { SearchStore } from "../catalog/store.ts";

export interface FederatedJson {
  hits: { [name: string]: unknown }[];
  processingTimeMs: number;
  [name: string]: unknown;
}

type Page = FoundPage & Partial<Pick<SemanticPage, "isNear">>;

interface Candidate extends FederatedHit {
  found: FoundHit;
  page: Page;
  shape: Shape | null;
  query: FederatedQuery;
  position: number;
}

/** A hit that a rule pins, and its place in the merged list. */
type PinnedCandidate = Placed<Candidate>;

/** Hits whose `distinct` value is read between two yields. */
const STRETCH = 100;

interface Window {
  offset: number;
  limit: number;
  /** Set when pages were asked for. */
  page?: number;
}

/** Only the hits on the page are formatted. @throws ApiError */
export function* federatedSteps(store: SearchStore, search: FederatedSearch): Steps<FederatedJson> {
  const { queries, federation, work, limits, now } = search;
  const started = now();
  const stages = federation.showPerformanceDetails ? createStages() : null;
  const window = windowOf(federation);
  const end = Math.min(window.offset + window.limit, limits.federatedHits);
  const lists: Candidate[][] = [];
  const pinned: PinnedCandidate[] = [];
  let total = 0;
  for (const [position, query] of queries.entries()) {
    yield;
    const found = yield* inQuery(
      position,
      searchForMerge(store, query, { position, wanted: end, search, stages }),
    );
    lists.push(found.candidates);
    pinned.push(...found.pinned);
    total += found.total;
  }
  const candidates = [...pinned.map(({ item }) => item), ...mergeByRank(lists)];
  const distinct = yield* dropRepeats(candidates, { distinct: federation.distinct ?? null, store, work });
  const shown = putPinned(store, distinct, pinned).slice(window.offset, end);
  const { hits, isCut } = yield* formatHits(shown, work);
  return {
    hits,
    processingTimeMs: Math.floor(now() - started),
    ...totals(window, total - (candidates.length - distinct.length)),
    ...(yield* federatedFacetSteps(store, search)),
    ...(queries.some(({ hybrid }) => hybrid != null) && {
      semanticHitCount: shown.filter(({ page, found }) => page.isNear?.(found)).length,
    }),
    ...(isCut && { degraded: true }),
    ...(stages && {
      performanceDetails: stages.toJson(now() - started, started - (search.arrived ?? started)),
    }),
    ...(search.hasMetadata && {
      requestUid: crypto.randomUUID(),
      metadata: queries.map(({ indexUid }) => metadataOf(indexUid, store.require(indexUid).index)),
    }),
  };
}

function* formatHits(
  shown: readonly Candidate[],
  work: RequestWork,
): Steps<{ hits: FederatedJson["hits"]; isCut: boolean }> {
  const hits: FederatedJson["hits"] = [];
  for (const candidate of shown) {
    if (work.isOver()) break;
    const json = toFederatedHit(candidate);
    if (work.hasRoomFor?.(json) === false) break;
    hits.push(json);
    yield;
  }
  return { hits, isCut: hits.length < shown.length };
}

function windowOf(federation: FederationBody): Window {
  if (federation.page == null && federation.hitsPerPage == null) {
    return { offset: federation.offset ?? 0, limit: federation.limit ?? 20 };
  }
  const limit = federation.hitsPerPage ?? 20;
  const page = federation.page ?? 1;
  return { page, limit: page === 0 ? 0 : limit, offset: Math.max(0, page - 1) * limit };
}

function totals(window: Window, total: number): { [name: string]: number } {
  if (window.page === undefined) {
    return { limit: window.limit, offset: window.offset, estimatedTotalHits: total };
  }
  const totalPages = window.limit > 0 ? Math.ceil(total / window.limit) : 0;
  return { hitsPerPage: window.limit, page: window.page, totalPages, totalHits: total };
}

function* searchForMerge(
  store: SearchStore,
  body: FederatedQuery,
  {
    position,
    wanted,
    search,
    stages,
  }: { position: number; wanted: number; search: FederatedSearch; stages: Trace | null },
): Steps<{ candidates: Candidate[]; pinned: PinnedCandidate[]; total: number }> {
  const { limits, now, work } = search;
  work.refuseIfOver();
  refusePerQueryOptions(body, position);
  checkIndexUid(body.indexUid);
  const query: SearchQuery = {
    ...toSearchQuery(body, limits),
    offset: 0,
    limit: wanted,
    now,
    work,
    ...(stages && { trace: stages }),
  };
  const stored = store.require(body.indexUid);
  const { index } = stored;
  const semantic = semanticOf(body, stored);
  const find = (asked: SearchQuery & { work: Work }): Steps<Page> =>
    semantic ? semanticPageSteps(index, asked, semantic) : findSteps(index, asked);
  const rules = store.pinning?.of(stored, query.q) ?? null;
  const { page, pinned } = yield* translateErrors<{ page: Page; pinned: readonly Placed<FoundHit>[] }>(
    body.indexUid,
    rules ? rules.apartSteps({ ...query, work }, find) : alone(find({ ...query, work })),
  );
  const shape = createShape(stored, {
    store,
    hasVectors: body.retrieveVectors === true,
    restrict: search.restrict,
    work,
  });
  const weight = body.federationOptions?.weight ?? 1;
  const keyOf = sortKeyOf(index, query);
  const toCandidate = (found: FoundHit): Candidate => {
    const distance = page.distance?.(found.document) ?? null;
    return {
      found,
      page,
      shape,
      query: body,
      position: body.federationOptions?.queryPosition ?? position,
      weighted: found.score * weight,
      sort: keyOf?.({ document: found.document, distance }) ?? null,
    };
  };
  return {
    candidates: page.hits.map(toCandidate),
    pinned: pinned.map(({ item, position: place }) => ({ item: toCandidate(item), position: place })),
    total: page.total,
  };
}

/** What a query without rules finds. */
function* alone(find: Steps<Page>): Steps<{ page: Page; pinned: readonly Placed<FoundHit>[] }> {
  return { page: yield* find, pinned: [] };
}

/** A document that two queries pin has the place of the first. */
function putPinned(
  store: SearchStore,
  distinct: readonly Candidate[],
  pinned: readonly PinnedCandidate[],
): readonly Candidate[] {
  if (!store.pinning || pinned.length === 0) return distinct;
  const left = new Set(distinct);
  const isPinned = new Set(pinned.map(({ item }) => item));
  return store.pinning.place(
    distinct.filter((candidate) => !isPinned.has(candidate)),
    pinned.filter(({ item }) => left.has(item)),
  );
}

function* dropRepeats(
  candidates: readonly Candidate[],
  { distinct, store, work }: { distinct: string | null; store: SearchStore; work: RequestWork },
): Steps<Candidate[]> {
  const seen = new Set<string>();
  const kept: Candidate[] = [];
  for (const [at, candidate] of candidates.entries()) {
    if (distinct !== null && at % STRETCH === STRETCH - 1) {
      work.refuseIfOver();
      yield;
    }
    const { found, query } = candidate;
    let value: unknown = null;
    if (distinct !== null) {
      work.add(WorkOf.document);
      const { index } = store.require(query.indexUid);
      value = getOwn(
        index.readDocument(found.document, (name) => name === distinct),
        distinct,
      );
    }
    const key = value == null ? `${query.indexUid}/${found.document}` : `=${JSON.stringify(value)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    kept.push(candidate);
  }
  return kept;
}

function toFederatedHit({ found, page, shape, query, position, weighted }: Candidate): {
  [name: string]: unknown;
} {
  const hit = page.format(found);
  const json = toHitJson(shape ? shape(hit) : hit);
  const { indexUid } = query;
  json["_federation"] = { indexUid, queriesPosition: position, weightedRankingScore: weighted };
  return json;
}
