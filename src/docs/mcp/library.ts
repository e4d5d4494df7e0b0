import type { BuiltContent } from "../content/built-content.ts";
import { sectionOf } from "../content/navigation/navigation.ts";
import type { Page } from "../content/types.ts";

/** The data of the tools: the pages of one build, or of one moment in development. */
export interface Library {
  pages: ReadonlyMap<string, Page>;
  /** Names of the tree's sections that have pages, in the order of the tree; a search can be limited to one section. */
  sections: readonly string[];
  /** A page's old address, in lower case → its new address, possibly with an anchor. */
  moved: ReadonlyMap<string, string>;
}

export type LibraryContent = Pick<BuiltContent, "pages" | "navigation" | "redirects">;

export function createLibrary({ pages, navigation, redirects }: LibraryContent): Library {
  const used = new Set(pages.map(({ path }) => sectionOf(navigation, path)));
  const named = navigation.sections.map(({ name }) => name).filter((name) => used.has(name));
  return {
    pages: new Map(pages.map((page) => [page.path, page])),
    sections: [...new Set([...named, ...used])],
    moved: new Map(redirects.map(({ from, to }) => [from.toLowerCase(), to])),
  };
}
