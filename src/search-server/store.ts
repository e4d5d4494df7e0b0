/**
 * The indexes that are being served, by name. A replacement is one assignment: a search that runs keeps the index
 * it started with, the next one sees the new index, nobody sees half of one.
 */
import { openIndex, type OpenedIndex, search, searchFacet } from "#search/index.ts";
import type { FacetHits, FacetQuery, SearchQuery, SearchResult } from "#search/types.ts";
import { indexNotFound } from "./errors.ts";
import type { ProtocolSettings } from "./settings-json.ts";

export interface StoredIndex {
  uid: string;
  index: OpenedIndex;
  /** The file, as `buildIndex` made it. */
  bytes: Uint8Array;
  createdAt: Date;
  updatedAt: Date;
  protocol: ProtocolSettings;
}

export interface IndexInfo {
  createdAt?: Date;
  updatedAt?: Date;
  protocol?: ProtocolSettings;
}

export interface SearchStore {
  get: (uid: string) => StoredIndex | undefined;
  /** @throws ApiError `index_not_found` */
  require: (uid: string) => StoredIndex;
  /** By name. */
  list: () => StoredIndex[];
  /**
   * Opens the bytes and serves them under `uid` from the next search on.
   * @throws the engine's reason when they are broken or foreign; then what was served stays.
   */
  replace: (uid: string, bytes: Uint8Array, info?: IndexInfo) => StoredIndex;
  remove: (uid: string) => boolean;
  /** Exchanges two names. */
  swap: (first: string, second: string) => void;
  /** @throws SearchError for a mistake in the query, ApiError `index_not_found` */
  search: (uid: string, query: SearchQuery) => SearchResult;
  searchFacet: (uid: string, query: FacetQuery) => FacetHits;
  /** Grows with every change; what was derived from an older one is stale. */
  readonly version: number;
}

export function createSearchStore(options: { clock?: () => Date } = {}): SearchStore {
  const clock = options.clock ?? (() => new Date());
  const indexes = new Map<string, StoredIndex>();
  let version = 0;

  function required(uid: string): StoredIndex {
    const stored = indexes.get(uid);
    if (!stored) throw indexNotFound(uid);
    return stored;
  }

  return {
    get: (uid) => indexes.get(uid),
    require: required,
    list: () => [...indexes.values()].sort((a, b) => (a.uid < b.uid ? -1 : 1)),
    replace(uid, bytes, info = {}) {
      const index = openIndex(bytes);
      const before = indexes.get(uid);
      const updatedAt = info.updatedAt ?? clock();
      const stored: StoredIndex = {
        uid,
        index,
        bytes,
        createdAt: info.createdAt ?? before?.createdAt ?? updatedAt,
        updatedAt,
        protocol: info.protocol ?? before?.protocol ?? {},
      };
      indexes.set(uid, stored);
      version++;
      return stored;
    },
    remove(uid) {
      version++;
      return indexes.delete(uid);
    },
    swap(first, second) {
      const [a, b] = [required(first), required(second)];
      indexes.set(first, { ...b, uid: first });
      indexes.set(second, { ...a, uid: second });
      version++;
    },
    search: (uid, query) => search(required(uid).index, query),
    searchFacet: (uid, query) => searchFacet(required(uid).index, query),
    get version() {
      return version;
    },
  };
}
