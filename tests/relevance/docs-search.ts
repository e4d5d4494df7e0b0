import { openEditedDocs } from "#docs/open-edited-docs.ts";
import { findPages } from "#docs/author/find-pages.ts";
import type { Page } from "#docs/content/types.ts";
import { openIndex, type OpenedIndex } from "#search/index.ts";
import { compileContent } from "../../scripts/steps/content-step.ts";

export interface DocsSearch {
  pages: readonly Page[];
  index: OpenedIndex;
  /** The address of each page's best hit, in the order of the hits: within the hits that the search box shows. */
  findPages: (query: string) => string[];
  /** The same without what questions mean. */
  findByWords: (query: string) => string[];
}

/** The documentation's search as the server answers it, on the current pages. */
export async function openDocsSearch(): Promise<DocsSearch> {
  const content = await compileContent();
  const { pages } = content;
  const { index, bytes } = await openEditedDocs(content);
  const byWords = openIndex(bytes);
  return {
    pages,
    index,
    findPages: (query) => findPages(index, query),
    findByWords: (query) => findPages(byWords, query),
  };
}
