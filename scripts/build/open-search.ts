import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Hono } from "hono";
import type { Environment } from "../../src/environment.ts";
import { siteConfig } from "../../site.config.ts";
import { createSearchApp } from "../../src/search-server/app.ts";
import { searchInProcess } from "../../src/search-server/multi-search.ts";
import { createSearchStore } from "../../src/search-server/store.ts";
import type { SiteSource } from "../../src/site/site-source.ts";
import type { BuildFolders } from "./folders.ts";

export interface DocsSearch {
  app: Hono;
  ask: SiteSource["search"];
  /** Serves another index from the next search on. */
  replace(bytes: Uint8Array): void;
}

/** The documentation's search over HTTP and in process. */
export function createDocsSearch(env: Environment): DocsSearch {
  const store = createSearchStore();
  const app = createSearchApp({
    store,
    ...(env.SEARCH_ADMIN_KEY && { adminKey: env.SEARCH_ADMIN_KEY }),
    onError: (error) => console.error("Search failed:", error),
  });
  return {
    app,
    ask: async (body) => searchInProcess(store, body) as unknown as Awaited<ReturnType<SiteSource["search"]>>,
    replace: (bytes) => void store.replace(siteConfig.search.indexName, bytes),
  };
}

export async function openSearch(folders: BuildFolders, env: Environment): Promise<DocsSearch> {
  const search = createDocsSearch(env);
  search.replace(await readFile(join(folders.search, "docs.index")));
  return search;
}
