import { createContext } from "react-router";
import type { Heading } from "#docs/content/types.ts";
import type { DocsHit, SearchAnswers, SearchBody } from "./docs/search/protocol.ts";
import type { Setup } from "./docs/anywhere/setup/setup.ts";
import type { Branches } from "./docs/tree/types.ts";

export interface Crumb {
  label: string;
  /** If it is not the page's. */
  lang?: string;
  /** Absent for a section without its own page. */
  to?: string;
}

export interface PageLink {
  label: string;
  /** If it is not the page's. */
  lang?: string;
  to: string;
}

/** A page in one language: `{ language: "de", name: "Deutsch", path: "/de/docs/faq" }`. */
export interface PageLanguage {
  language: string;
  name: string;
  path: string;
}

/** A page's whole address in one language, or by default (`x-default`). */
export interface LanguageAddress {
  language: string;
  href: string;
}

/** Around the pages of an edition (decision 069). */
export interface EditionFrame {
  language: string;
  /** The index that its searches ask. */
  index: string;
  /** English → what its readers see. */
  words: Readonly<Record<string, string>>;
}

/** A page as the site shows it; placeholders replaced. */
export interface SitePage {
  path: string;
  title: string;
  description: string;
  isPreview: boolean;
  /** Whether only development shows the page. */
  isDraft: boolean;
  html: string;
  headings: Heading[];
  crumbs: Crumb[];
  previous: PageLink | null;
  next: PageLink | null;
  updated: string | null;
  /** When and at which commit all of its commands ran; null if that is not known. */
  ran: { commit: string; date: string } | null;
  /** The address for editing the page; null without a repository. */
  editUrl: string | null;
  /** The languages that have the page, its own included; empty if there is one. */
  languages: readonly PageLanguage[];
}

/** A page's static parts as HTML; see `docs/static-page.tsx`. */
export interface PageHtml {
  /** With the page's structured data. */
  crumbs: string;
  /** Title, lead, folded outline and article. */
  body: string;
  pager: string;
  /** The outline next to the article. */
  toc: string;
}

/** The data of a page that the browser needs in addition to its HTML; in every document, so absent values have no key. */
export interface PageSummary extends Pick<SitePage, "path" | "title" | "description"> {
  /** The path of the image shown in link previews. */
  image: string;
  /** "Last updated 14 November 2026" */
  updated?: string;
  /** "Commands ran on 4be92d1f, 29 November 2026" */
  ran?: string;
  editUrl?: string;
  /** In all languages, if there are several. */
  addresses?: readonly LanguageAddress[];
}

/** The server's interface for the routes. The site knows nothing about files or the engine. */
export interface SiteSource {
  /** `https://docs.example.com`, no trailing slash. */
  origin: string;
  page(path: string): SitePage | undefined;
  /** Undefined for the documentation in the site's own language. */
  edition(path: string): EditionFrame | undefined;
  /** Its Markdown for a setup; undefined if it is the same for everyone. */
  markdown(path: string, setup: Setup): string | undefined;
  /** Messages that have their own section. */
  errors: readonly string[];
  /** The address (a path) of the image shown in link previews. */
  image(path: string): string;
  /** The navigation tree's HTML for a path. */
  tree(path: string): string;
  /** Branches of the tree that exist only in pages that show them. */
  branches(path: string): Branches;
  /** Answers a /multi-search body in process. @throws if the engine or the server behind it fails. */
  search(body: SearchBody): Promise<SearchAnswers>;
  status(): SiteStatus;
}

export interface SiteStatus {
  startedAt: string;
  pages: number;
  records: number;
  indexBytes: number;
  provider: string;
}

export const siteSourceContext = createContext<SiteSource>();

/**
 * The static HTML of a document request. Loaders fill it and the server's entry renders from it, so that the
 * HTML is in the document once and not again in the loader's data. `isDocument` is false for `.data`
 * requests.
 */
export interface DocumentParts extends PageHtml {
  isDocument: boolean;
  tree: string;
  /** The filters of a search; see `docs/search/search-page.server.tsx`. */
  filters: string;
  client?: ClientText;
  /** A hit's link with the text that the hit found; see `docs/anywhere/passages.ts`. */
  linkToPassage?: (path: string, hit: DocsHit) => string;
}

/** The data that starts the client; see `boot/start-client.ts`. */
export interface ClientText {
  /** Address of the one large file, to load after the page is painted. */
  preload: string | undefined;
  /** For a script element of a type that no browser runs. */
  text: string;
}

export const documentPartsContext = createContext<DocumentParts>();
