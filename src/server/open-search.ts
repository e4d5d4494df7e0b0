import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "hono";
import { siteConfig } from "#config";
import { docsIndexSettings } from "#docs/docs-index.ts";
import type { SearchRecord } from "#docs/records/types.ts";
import { fillIndexedAddress, siteAddress } from "#docs/site-address.ts";
import { createAddressOf } from "#platform/http/client-address.ts";
import { consoleLog, type Log } from "#platform/log/log.ts";
import type { Metrics } from "#platform/metrics/metrics.ts";
import { defaultSettings } from "#search/index.ts";
import {
  type AnsweredSearch,
  createMeilisearchProvider,
  createSearchStore,
  IndexFileError,
  openEmbeddedProvider,
  pushRecords,
  searchesOf,
  type SearchRoutes,
} from "#search-server/index.ts";
import type { SiteSource } from "#site/site-source.ts";
import type { BuildFolders } from "./build-folders.ts";
import type { Environment } from "./environment.ts";
import { readContent } from "#docs/built-content.ts";
import { UserError } from "./user-error.ts";

export interface DocsSearch {
  routes: SearchRoutes;
  registerMetrics: (metrics: Metrics) => void;
  isReady: () => boolean;
  ask: SiteSource["search"];
  /** The same for what no reader asks: nobody is told. */
  askQuietly(body: unknown): Promise<unknown>;
  /** The index that is served, as a file. */
  readIndex(): Promise<Uint8Array>;
  /** Serves another index from the next search on. */
  replace(bytes: Uint8Array): void;
  close(): Promise<void>;
}

/** Called with what was searched; there is no context where a page was rendered with its results. */
export type SearchListener = (searches: readonly AnsweredSearch[], context?: Context) => void;

const indexUid = siteConfig.search.indexName;
export interface SearchOptions {
  onSearch?: SearchListener;
  log?: Log;
}

const logFailure =
  (log: Log) =>
  (error: unknown): void => {
    // The operator has to fix this; no search has failed because of it.
    if (error instanceof IndexFileError) log.error(error.message);
    else log.error("Search failed:", { error });
  };

/** The engine in this process; with `SEARCH_ADMIN_KEY` its content routes too. */
export async function createDocsSearch(
  env: Environment,
  { onSearch, log = consoleLog }: SearchOptions = {},
): Promise<DocsSearch> {
  const store = createSearchStore();
  const address = siteAddress(env.SITE_ORIGIN);
  // Opened before the site's own index is added, which wins over a stored one of the same name.
  const provider = await openEmbeddedProvider({
    store,
    publicIndexes: [indexUid],
    addressOf: createAddressOf(env.TRUSTED_PROXIES),
    onError: logFailure(log),
    ...(onSearch && { onSearch: (searches, context) => onSearch(searches, context) }),
    dataDir: join(env.DATA_DIR, "search"),
    builtInIndex: indexUid,
    ...(env.SEARCH_ADMIN_KEY && { adminKey: env.SEARCH_ADMIN_KEY }),
  }).catch((error: unknown) => {
    throw new UserError(
      `The indexes of the content routes cannot be stored in ${env.DATA_DIR} (${error instanceof Error ? error.message : error}): set DATA_DIR to a folder that this user can write, or start without SEARCH_ADMIN_KEY.`,
    );
  });
  let served: Uint8Array | undefined;
  return {
    routes: provider.routes,
    registerMetrics: provider.registerMetrics,
    isReady: provider.isReady,
    ask: askAndTell(provider.search, onSearch),
    askQuietly: provider.search,
    async readIndex() {
      if (served) return served;
      throw new Error("The index of the site's pages is not available yet.");
    },
    replace(bytes) {
      store.replace(indexUid, bytes, { showText: (text) => fillIndexedAddress(text, address) });
      served = bytes;
    },
    close: provider.close,
  };
}

/**
 * The documentation's search as `site.config.ts` chooses it. With Algolia the server itself still answers
 * `?q=`.
 */
export async function openSearch(
  folders: BuildFolders,
  env: Environment,
  options: SearchOptions = {},
): Promise<DocsSearch> {
  if (siteConfig.search.provider === "meilisearch") return openMeilisearch(folders, env, options);
  const search = await createDocsSearch(env, options);
  const file = join(folders.search, "docs.index");
  try {
    search.replace(await readFile(file));
  } catch (error) {
    await search.close();
    throw new UserError(
      `The index of the site's pages cannot be used (${error instanceof Error ? error.message : error}): remove ${folders.search} and start again to rebuild it.`,
    );
  }
  return search;
}

/** Also reports the search of a page that is rendered with its results. */
function askAndTell(
  search: (body: unknown) => Promise<unknown>,
  onSearch?: SearchListener,
): DocsSearch["ask"] {
  return async (body) => {
    const answer = await search(body);
    onSearch?.(searchesOf(answer));
    // Both providers answer in the same protocol.
    return answer as Awaited<ReturnType<SiteSource["search"]>>;
  };
}

async function openMeilisearch(
  folders: BuildFolders,
  env: Environment,
  { onSearch, log = consoleLog }: SearchOptions,
): Promise<DocsSearch> {
  const { MEILISEARCH_URL: url, MEILISEARCH_KEY: key, MEILISEARCH_ADMIN_KEY: adminKey } = env;
  if (!url)
    throw new UserError(
      'The search provider is "meilisearch": set MEILISEARCH_URL to the address of its server.',
    );
  if (adminKey) await fillMeilisearch(folders, env.SITE_ORIGIN, { url, key: adminKey });
  const provider = createMeilisearchProvider({
    url,
    indexUids: [indexUid],
    onError: logFailure(log),
    ...(onSearch && { onSearch }),
    ...(key && { key }),
  });
  return {
    routes: provider.routes,
    registerMetrics: provider.registerMetrics,
    isReady: provider.isReady,
    ask: askAndTell(provider.search, onSearch),
    askQuietly: provider.search,
    // The build has it, whoever answers readers.
    readIndex: () => readFile(join(folders.search, "docs.index")),
    replace: () => {},
    close: provider.close,
  };
}

async function fillMeilisearch(
  folders: BuildFolders,
  origin: string,
  { url, key }: { url: string; key: string },
): Promise<void> {
  const json = fillIndexedAddress(
    await readFile(join(folders.search, "docs.json"), "utf8"),
    siteAddress(origin),
  );
  const { synonyms } = await readContent(folders.content);
  const documents = (JSON.parse(json) as SearchRecord[]).map((record) => ({ ...record }));
  const version = createHash("sha256").update(json).digest("hex").slice(0, 12);
  const settings = { ...defaultSettings(), ...docsIndexSettings(synonyms) };
  console.log(`  search     sending ${documents.length} records to ${new URL(url).host} …`);
  try {
    const { documents: count } = await pushRecords({ url, key, indexUid, settings, documents, version });
    console.log(`  search     ${count} records sent to ${new URL(url).host}`);
  } catch (error) {
    // The previous index goes on answering.
    console.error(
      `The records could not be sent to ${new URL(url).host}: ${error instanceof Error ? error.message : error}`,
    );
  }
}
