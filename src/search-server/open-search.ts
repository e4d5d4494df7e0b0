/** The room, configured by the environment: the engine in this process, or another Meilisearch server in front of the site's pages. */
import { join } from "node:path";
import type { Context } from "hono";
import { createAddressOf } from "#platform/http/addresses/client-address.ts";
import type { OpenedRoom, RoomPlan } from "#platform/house/plan.ts";
import { createRoom } from "#platform/house/room.ts";
import type { ServerEnvironment } from "#platform/house/server-variables.ts";
import { UserError } from "#platform/environment/user-error.ts";
import type { Log } from "#platform/log/log.ts";
import { type AnsweredSearch, searchesOf } from "./answers/answer.ts";
import {
  createMeilisearchProvider,
  IndexFileError,
  openEmbeddedProvider,
  type SearchProvider,
} from "./provider.ts";
import type { SearchRoutes } from "./routes.ts";
import { searchMounts } from "./search-mounts.ts";
import type { Inflect, ReadMeaning } from "#search/index.ts";
import { createSearchStore } from "./catalog/store.ts";
import { pushRecords } from "./upstream/push-records.ts";
import { WebhookError } from "./webhooks/webhook-queues.ts";
import { type SearchEnvironment, searchVariables } from "./variables.ts";

/** The index that the site makes from its pages. */
export interface SiteIndex {
  uid: string;
  /** Whether another Meilisearch server answers readers (`search.provider`). */
  isElsewhere: boolean;
  /** Puts the site's address into the text of a hit. */
  showText: (text: string) => string;
  /** As the build made it. @throws Error when it cannot be used. Null in development, which adds it with `replaceIndex`. */
  read: (() => Promise<Uint8Array>) | null;
  /** Reads what queries mean, for the index that `read` gave. @throws Error with the reason; then words alone find. */
  readMeaning?: (index: Uint8Array) => Promise<ReadMeaning>;
  /** Absent: there are none. Not served where another server answers readers. */
  readTranslated?: () => Promise<readonly TranslatedIndex[]>;
  /** The records for another server's index. */
  readRecords: () => Promise<Omit<Parameters<typeof pushRecords>[0], "url" | "key" | "indexUid">>;
}

/** An index of the site's pages in another language, next to its own. */
export interface TranslatedIndex {
  uid: string;
  bytes: Uint8Array;
  /** Finds other forms of a word in its language. */
  inflect: Inflect;
}

/** Called with the searches of a request; there is no context for a page that was rendered with its results. */
export type SearchListener = (searches: readonly AnsweredSearch[], context?: Context) => void;

interface SearchFloor {
  pages: () => Promise<{ siteIndex: SiteIndex }>;
  countSearches: SearchListener;
  log: Log;
  /** Added to answers to searches. */
  searchHeaders?: Readonly<Record<string, string>>;
}

interface GivenSearch {
  /** Answers a search of a page that is rendered with its results, and counts it. */
  ask: (body: unknown) => Promise<unknown>;
  /** The same for searches that no reader makes: they are not counted. */
  askQuietly: (body: unknown) => Promise<unknown>;
  /** The index of the site's pages that is served, as a file. */
  readIndex: () => Promise<Uint8Array>;
  /** Serves this index from the next search on. */
  replaceIndex: (bytes: Uint8Array, readMeaning?: ReadMeaning) => void;
  /** The search key in a request; null: no valid key. */
  searchKeyOf: SearchRoutes["keyOf"];
}

export const searchRoom: RoomPlan<SearchFloor, GivenSearch, typeof searchVariables> = {
  variables: searchVariables,
  // Its records are a database of its own (`catalog/`).
  migrations: [],
  sealed: [],
  async open(floor, env) {
    const { siteIndex } = await floor.pages();
    const opened = await (siteIndex.isElsewhere ? openElsewhere : openHere)({ ...floor, siteIndex }, env);
    return describe(opened, floor);
  },
};

interface Opening extends Omit<SearchFloor, "pages"> {
  siteIndex: SiteIndex;
}

interface OpenedSearch {
  provider: SearchProvider;
  readIndex: GivenSearch["readIndex"];
  replaceIndex: GivenSearch["replaceIndex"];
}

function describe(
  { provider, readIndex, replaceIndex }: OpenedSearch,
  { countSearches, searchHeaders }: SearchFloor,
): OpenedRoom<GivenSearch> {
  return {
    room: createRoom("search", {
      mounts: searchMounts(provider.routes, searchHeaders),
      registerMetrics: provider.registerMetrics,
      isReady: provider.isReady,
      close: provider.close,
    }),
    gives: {
      async ask(body) {
        const answer = await provider.search(body);
        countSearches(searchesOf(answer));
        return answer;
      },
      askQuietly: provider.search,
      readIndex,
      replaceIndex,
      searchKeyOf: provider.routes.keyOf,
    },
  };
}

/** With `SEARCH_ADMIN_KEY` its content routes too. */
async function openHere(
  { siteIndex: { uid, showText, read, readMeaning, readTranslated }, countSearches, log }: Opening,
  env: SearchEnvironment & ServerEnvironment,
): Promise<OpenedSearch> {
  const store = createSearchStore();
  const translated = (await readTranslated?.()) ?? [];
  const own = [uid, ...translated.map((index) => index.uid)];
  // Opened before the site's own indexes are added, which win over stored ones of the same names.
  const provider = await openEmbeddedProvider({
    store,
    publicIndexes: own,
    addressOf: createAddressOf(env.TRUSTED_PROXIES),
    onError: logFailure(log),
    onSearch: countSearches,
    dataDir: join(env.DATA_DIR, "search"),
    builtInIndexes: own,
    ...(env.SEARCH_WEBHOOK_ORIGINS && { webhookOrigins: env.SEARCH_WEBHOOK_ORIGINS }),
    ...(env.SEARCH_ADMIN_KEY && { adminKey: env.SEARCH_ADMIN_KEY }),
  }).catch((error: unknown) => {
    throw new UserError(
      `The indexes of the content routes cannot be stored in ${env.DATA_DIR} (${reasonOf(error)}): set DATA_DIR to a folder that this user can write to, or start without SEARCH_ADMIN_KEY.`,
    );
  });
  let served: Uint8Array | undefined;
  const replaceIndex: OpenedSearch["replaceIndex"] = (bytes, meaning) => {
    store.replace(uid, bytes, { showText, ...(meaning && { readMeaning: meaning }) });
    served = bytes;
  };
  const readIndex = async () => {
    if (served) return served;
    throw new Error("The index of the site's pages is not there yet.");
  };
  try {
    for (const index of translated)
      store.replace(index.uid, index.bytes, { showText, inflect: index.inflect });
    if (read) {
      const bytes = await read();
      replaceIndex(bytes, await meaningOrNone(bytes));
    }
  } catch (error) {
    await provider.close();
    throw error;
  }
  return { provider, readIndex, replaceIndex };

  async function meaningOrNone(bytes: Uint8Array): Promise<ReadMeaning | undefined> {
    try {
      return await readMeaning?.(bytes);
    } catch (error) {
      log.error(
        `Searches of the site's pages find words only, not what a question means: ${reasonOf(error)}`,
      );
      return undefined;
    }
  }
}

async function openElsewhere(
  { siteIndex, countSearches, log }: Opening,
  { MEILISEARCH_URL: url, MEILISEARCH_KEY: key, MEILISEARCH_ADMIN_KEY: adminKey }: SearchEnvironment,
): Promise<OpenedSearch> {
  if (!url)
    throw new UserError(
      'The search provider is "meilisearch": set MEILISEARCH_URL to the address of its server.',
    );
  if (adminKey) await fill(siteIndex, { url, key: adminKey });
  const provider = createMeilisearchProvider({
    url,
    indexUids: [siteIndex.uid],
    onError: logFailure(log),
    onSearch: countSearches,
    ...(key && { key }),
  });
  // The build has the index, whichever provider answers readers.
  const readIndex = async () => {
    if (siteIndex.read) return siteIndex.read();
    throw new Error("The index of the site's pages is not there yet.");
  };
  return { provider, readIndex, replaceIndex() {} };
}

async function fill(
  { uid, readRecords }: SiteIndex,
  { url, key }: { url: string; key: string },
): Promise<void> {
  const records = await readRecords();
  const { host } = new URL(url);
  console.log(`  search     sending ${records.documents.length} records to ${host} …`);
  try {
    const { documents: count } = await pushRecords({ url, key, indexUid: uid, ...records });
    console.log(`  search     ${count} records sent to ${host}`);
  } catch (error) {
    // The previous index continues to answer.
    console.error(`The records could not be sent to ${host}: ${reasonOf(error)}`);
  }
}

const logFailure =
  (log: Log) =>
  (error: unknown): void => {
    // The operator has to fix this; no search has failed because of it.
    if (error instanceof IndexFileError || error instanceof WebhookError) log.error(error.message);
    else log.error("Search failed:", { error });
  };

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
