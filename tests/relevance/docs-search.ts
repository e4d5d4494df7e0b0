import { findPages } from "#docs/author/find-pages.ts";
import type { Page } from "#docs/content/types.ts";
import { buildIndex, openIndex, type OpenedIndex } from "#search/index.ts";
import { compileContent } from "../../scripts/steps/content-step.ts";
import { docsIndexSettings, docsRecords } from "#docs/docs-index.ts";

export interface DocsSearch {
  pages: readonly Page[];
  index: OpenedIndex;
  /** The address of each page's best hit, in the order of the hits: within the hits that the search box shows. */
  findPages: (query: string) => string[];
}

/** The documentation's search, on the current pages. */
export async function openDocsSearch(): Promise<DocsSearch> {
  const { pages, navigation, synonyms } = await compileContent();
  const records = docsRecords(pages, navigation).map((record) => ({ ...record }));
  const index = openIndex(buildIndex(records, docsIndexSettings(synonyms)));
  return { pages, index, findPages: (query) => findPages(index, query) };
}
