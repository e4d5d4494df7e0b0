/** A page of hits with pinned documents: found as without them, then counted together. */
import {
  compileDistinct,
  type DocumentSet,
  dropRepeats,
  filterSteps,
  type FoundHit,
  type FoundPage,
  type OpenedIndex,
  pageWindow,
  type SearchQuery,
  type Steps,
  type Work,
  WorkOf,
} from "#search/index.ts";
import { type Placed, placePins } from "./place-pins.ts";

interface Pin {
  document: number;
  position: number;
}

type Query = SearchQuery & { work: Work };

interface PageAndPins<Page> {
  /** The hits from the first on, without the pinned ones; its total and its facets count both. */
  page: Page;
  pinned: Placed<FoundHit>[];
}

export interface Pinned {
  /** The pinned documents that a filter lets through. */
  within: (filter: DocumentSet | null) => readonly Pin[];
  /** Both apart, for lists that are merged with others; as many hits as `limit` may need. */
  apartSteps: <Page extends FoundPage>(
    query: Query,
    find: (query: Query) => Steps<Page>,
  ) => Steps<PageAndPins<Page>>;
  /** The requested page. */
  pageSteps: <Page extends FoundPage>(query: Query, find: (query: Query) => Steps<Page>) => Steps<Page>;
}

export function pinDocuments(index: OpenedIndex, pins: readonly Pin[]): Pinned {
  const { maxTotalHits } = index.settings;

  const within = (filter: DocumentSet | null) =>
    filter ? pins.filter(({ document }) => filter[document] === 1) : pins;

  function* apartSteps<Page extends FoundPage>(
    query: Query,
    find: (query: Query) => Steps<Page>,
  ): Steps<PageAndPins<Page>> {
    const filter = yield* filterSteps(index, query.filter, query.work);
    const kept = within(filter);
    const { page: _, hitsPerPage: __, ...others } = query;
    // Some of them may be pinned, or repeat the distinct value of a pinned one. With facets every match is known.
    const limit = (query.limit ?? 0) + kept.length;
    const page = yield* find({ ...others, offset: 0, limit, facets: query.facets ?? [] });
    const keyOf = distinctOf(index, query);
    const found = new Map(page.hits.map((hit) => [hit.document, hit]));
    const isPinned = new Set(kept.map(({ document }) => document));
    const first = kept.map(({ document }) => found.get(document) ?? toPinnedHit(document));
    const all = keepFirst(
      [...first, ...page.hits.filter(({ document }) => !isPinned.has(document))],
      keyOf,
      ({ document }) => document,
    );
    const places = new Map(kept.map(({ document, position }) => [document, position]));
    const matching = [...new Set([...isPinned, ...(page.matching ?? [])])];
    query.work.add(matching.length * WorkOf.unit);
    const counted = Uint32Array.from(keepFirst(matching, keyOf, (document) => document));
    return {
      page: {
        ...page,
        hits: all.filter(({ document }) => !isPinned.has(document)),
        total: Math.min(counted.length, maxTotalHits),
        matching: query.facets ? counted : null,
      },
      pinned: all.flatMap((item) => {
        const position = places.get(item.document);
        return position === undefined ? [] : [{ item, position }];
      }),
    };
  }

  return {
    within,
    apartSteps,
    *pageSteps(query, find) {
      const { offset, limit, isPaged } = pageWindow(query, maxTotalHits);
      const { page, pinned } = yield* apartSteps({ ...query, limit: offset + limit }, find);
      const hits = placePins(page.hits, pinned).slice(offset, offset + limit);
      return { ...page, hits, isTotalExact: isPaged };
    },
  };
}

/** As for hits: also for sections, whose records have values of their own. */
function distinctOf(index: OpenedIndex, query: SearchQuery) {
  const attribute = query.distinct ?? index.settings.distinctAttribute;
  return attribute === null ? null : compileDistinct(index, attribute);
}

const keepFirst = <Item>(
  items: readonly Item[],
  keyOf: ReturnType<typeof distinctOf>,
  idOf: (item: Item) => number,
): readonly Item[] => (keyOf ? dropRepeats(items, idOf, keyOf) : items);

/** The words did not find it, so there is nothing to explain: as in Meilisearch, it has the whole score. */
function toPinnedHit(document: number): FoundHit {
  return { unit: -1, document, score: 1, explain: () => ({}) };
}
