/**
 * An edition: the documentation in another language, or of an earlier version, below an address of its own. Its pages and its
 * tree are those of the content with other addresses, so everything that shows a page shows it too (decision 069).
 */
import type { Navigation, NavigationLink } from "../navigation/navigation.ts";
import type { Page } from "../types.ts";
import type { SynonymGroups } from "../words/synonyms.ts";

export interface Edition {
  /** The first part of its addresses: `de`, `1.2`. */
  id: string;
  /** The language of its texts, as in BCP 47. */
  language: string;
  /** The earlier version that it documents; null for a translation. */
  version: string | null;
  /** With addresses of the edition. */
  pages: Page[];
  /** The links to pages that it does not have lead to the documentation of now. */
  navigation: Navigation;
  /** English words around an article, and what readers see instead. */
  words: Readonly<Record<string, string>>;
  /** Words that mean the same to a search. */
  synonyms: SynonymGroups;
  /** Pages that could not be built, with the reason. */
  missing: readonly { path: string; reason: string }[];
}

/** The edition's part of an address, or undefined: `/de/docs/faq` → `de`. */
export const editionOf = (path: string): string | undefined => /^\/([^/]+)\/docs(?=[/.?#]|$)/.exec(path)?.[1];

/** `/docs/faq` of the edition `de` → `/de/docs/faq` */
export const editionPath = (id: string, path: string): string => `/${id}${path}`;

/** `/de/docs/faq` → `/docs/faq`; an address without an edition stays. */
export const currentPath = (path: string): string => path.replace(/^\/[^/]+(?=\/docs(?:[/.?#]|$))/, "");

/** The name of an edition's index. Two hyphens, because a name such as `docs-de` may be that of an index of the operator. */
export const editionIndex = (indexName: string, id: string): string => `${indexName}--${id}`;

/** Moves a page into an edition: its address, and its links to other pages of the edition. @param has by present address */
export function movePage(page: Page, id: string, has: (path: string) => boolean): Page {
  const move = (text: string, pattern: RegExp) =>
    text.replaceAll(pattern, (all: string, before: string, path: string) =>
      has(path) ? before + editionPath(id, path) : all,
    );
  const markdown = (text: string) => move(text, /(\{\{origin\}\})(\/docs(?:\/[a-z0-9-]+)*)/g);
  return {
    ...page,
    path: editionPath(id, page.path),
    html: move(page.html, /(href=")(\/docs(?:\/[a-z0-9-]+)*)(?=["#?])/g),
    markdown: markdown(page.markdown),
    ...(page.markdownWithTabs !== undefined && { markdownWithTabs: markdown(page.markdownWithTabs) }),
  };
}

/** The tree of an edition: the label of each of its pages is the page's own. @param pages with addresses of the edition */
export function moveNavigation(navigation: Navigation, id: string, pages: readonly Page[]): Navigation {
  const titles = new Map(pages.map(({ path, navTitle }) => [path, navTitle]));
  const link = (from: NavigationLink): NavigationLink => {
    const to = editionPath(id, from.to);
    const title = titles.get(to);
    const own = title === undefined ? from : { ...from, to, label: title };
    return { ...own, links: from.links.map(link), more: from.more.map(link) };
  };
  return {
    top: navigation.top.map(link),
    sections: navigation.sections.map((section) => ({
      ...section,
      links: section.links.map(link),
      subSections: section.subSections.map((sub) => ({ ...sub, links: sub.links.map(link) })),
    })),
  };
}
