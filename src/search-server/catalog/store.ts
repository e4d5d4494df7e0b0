/**
 * The indexes being served, by name. A replacement is one assignment: a running search keeps the index it
 * started with, the next one sees the new index, and none sees half of one.
 */
import {
  type FacetHits,
  type FacetQuery,
  type Inflect,
  type OpenedIndex,
  openIndex,
  type ReadMeaning,
  search,
  searchFacet,
  type SearchQuery,
  type SearchResult,
} from "#search/index.ts";
import type { Pinning } from "../pins/pinning.ts";
import { ApiError, indexNotFound } from "../protocol/errors.ts";
import type { ProtocolSettings } from "../settings/json.ts";

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
  /** See the engine's `OpenOptions`; the next replacement drops it. */
  showText?: (text: string) => string;
  /** The same. */
  readMeaning?: ReadMeaning;
  /** The same. */
  inflect?: Inflect;
}

/** An index that is known but cannot be served. */
export interface UnusableIndex {
  uid: string;
  createdAt: Date;
  updatedAt: Date;
  /** The problem and its fix, in sentences. */
  reason: string;
}

export interface SearchStore {
  /** undefined for an unusable index too. */
  get: (uid: string) => StoredIndex | undefined;
  /** @throws ApiError `index_not_found`, or `index_unusable` with the reason */
  require: (uid: string) => StoredIndex;
  /** By name. */
  list: () => StoredIndex[];
  /**
   * Opens the bytes and serves them under `uid` from the next search on.
   * @throws the engine's reason if they are broken or foreign; then the former index stays.
   */
  replace: (uid: string, bytes: Uint8Array, info?: IndexInfo) => StoredIndex;
  /** Opens the bytes without serving them yet. @throws as `replace` */
  open: (uid: string, bytes: Uint8Array, info?: IndexInfo) => StoredIndex;
  /** Serves what was opened, all in one step. */
  put: (...opened: readonly StoredIndex[]) => void;
  remove: (uid: string) => boolean;
  /** Answers every use of the index with the reason, until it is replaced or removed. */
  markUnusable: (index: UnusableIndex) => void;
  /** By name. */
  unusable: () => UnusableIndex[];
  /** @throws SearchError for a mistake in the query, ApiError `index_not_found` */
  search: (uid: string, query: SearchQuery) => SearchResult;
  searchFacet: (uid: string, query: FacetQuery) => FacetHits;
  /** Documents that rules put at fixed places; null: there are none. Its code is not in every bundle with this file. */
  readonly pinning: Pinning | null;
  /** From the next search on. */
  pin: (pinning: Pinning | null) => void;
  /** Grows with every change; anything derived from an older version is stale. */
  readonly version: number;
}

export function createSearchStore(options: { clock?: () => Date } = {}): SearchStore {
  const clock = options.clock ?? (() => new Date());
  const indexes = new Map<string, StoredIndex>();
  const unusable = new Map<string, UnusableIndex>();
  let version = 0;
  let pinning: Pinning | null = null;

  function required(uid: string): StoredIndex {
    const stored = indexes.get(uid);
    if (stored) return stored;
    const known = unusable.get(uid);
    if (known) throw new ApiError("index_unusable", known.reason);
    throw indexNotFound(uid);
  }

  const open = (uid: string, bytes: Uint8Array, info: IndexInfo = {}) =>
    openStored(uid, bytes, { ...info, before: indexes.get(uid), now: clock });

  function put(...opened: readonly StoredIndex[]): void {
    for (const stored of opened) {
      indexes.set(stored.uid, stored);
      unusable.delete(stored.uid);
    }
    version++;
  }

  return {
    get: (uid) => indexes.get(uid),
    require: required,
    list: () => [...indexes.values()].sort((a, b) => (a.uid < b.uid ? -1 : 1)),
    open,
    put,
    replace(uid, bytes, info) {
      const stored = open(uid, bytes, info);
      put(stored);
      return stored;
    },
    remove(uid) {
      version++;
      const wasUnusable = unusable.delete(uid);
      return indexes.delete(uid) || wasUnusable;
    },
    markUnusable(index) {
      indexes.delete(index.uid);
      unusable.set(index.uid, index);
      version++;
    },
    unusable: () => [...unusable.values()].sort((a, b) => (a.uid < b.uid ? -1 : 1)),
    search: (uid, query) => search(required(uid).index, query),
    searchFacet: (uid, query) => searchFacet(required(uid).index, query),
    get pinning() {
      return pinning;
    },
    pin(next) {
      pinning = next;
      version++;
    },
    get version() {
      return version;
    },
  };
}

function openStored(
  uid: string,
  bytes: Uint8Array,
  { before, now, ...info }: IndexInfo & { before: StoredIndex | undefined; now: () => Date },
): StoredIndex {
  const { showText, readMeaning, inflect } = info;
  const index = openIndex(bytes, {
    ...(showText && { showText }),
    ...(readMeaning && { readMeaning }),
    ...(inflect && { inflect }),
  });
  const updatedAt = info.updatedAt ?? now();
  const createdAt = info.createdAt ?? before?.createdAt ?? updatedAt;
  return { uid, index, bytes, createdAt, updatedAt, protocol: info.protocol ?? before?.protocol ?? {} };
}
