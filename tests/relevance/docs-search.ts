import type { Page } from "#docs/content/types.ts";
import { buildIndex, openIndex, search, type OpenedIndex } from "#search/index.ts";
import { compileContent } from "../../scripts/steps/content-step.ts";
import { fillIndexedAddress, siteAddress } from "#docs/site-address.ts";
import { docsIndexSettings, docsRecords } from "#docs/docs-index.ts";

export interface DocsSearch {
  pages: readonly Page[];
  index: OpenedIndex;
  /** The address of each page's best hit, in the order of the hits: within those that the search box shows. */
  findPages: (query: string) => string[];
}

const origin = "https://millrace.example.com";
/** As many as one page of the search box. */
const shownHits = 20;

/** The documentation's search, on the pages as they are. */
export async function openDocsSearch(): Promise<DocsSearch> {
  const { pages, navigation } = await compileContent();
  const records = docsRecords(pages, navigation).map((record) => ({ ...record }));
  const index = openIndex(buildIndex(records, docsIndexSettings()), {
    showText: (text) => fillIndexedAddress(text, siteAddress(origin)),
  });
  return {
    pages,
    index,
    findPages(query) {
      const best = new Map<string, string>();
      for (const { document } of search(index, { q: query, limit: shownHits }).hits) {
        const address = String(document["url"]).replace(origin, "");
        if (!best.has(pathOf(address))) best.set(pathOf(address), address);
      }
      return [...best.values()];
    },
  };
}

export const pathOf = (address: string) => address.replace(/#.*/, "");
