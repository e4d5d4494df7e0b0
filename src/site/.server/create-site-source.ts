import { siteConfig } from "#config";
import type { Page } from "#docs/content/types.ts";
import {
  breadcrumbs,
  neighbours,
  type Navigation,
  type NavigationLink,
} from "#docs/content/navigation/navigation.ts";
import { knownErrors } from "#docs/content/words/known-errors.ts";
import { fillPlaceholders } from "#docs/content/page/placeholders.ts";
import { renderBranches, renderTree } from "../docs/tree/render-tree.ts";
import type { NavItem, TreeNavigation } from "../docs/tree/types.ts";
import { editUrlOf } from "./edit-url.ts";
import type { EditionFrame, PageLanguage, PageLink, SitePage, SiteSource } from "../site-source.ts";
import type { Setup } from "../docs/anywhere/setup/setup.ts";
import { currentPath, type Edition, editionIndex, editionOf } from "#docs/content/editions/edition.ts";
import { markdownForSetup } from "./text-files.ts";

interface Options {
  pages: Page[];
  navigation: Navigation;
  editions?: readonly Edition[];
  /** Whether each translation has an index of its own, as in a build. */
  hasIndexes?: boolean;
  origin: string;
  spriteUrl: string;
  /** Page → the address of its social image; empty in development. */
  images?: { [path: string]: string };
  search: SiteSource["search"];
  status: SiteSource["status"];
}

/** For pages without their own image. */
const SHARED_IMAGE = "/og-docs.png";

/** The site's content as its routes see it: the documentation, and its editions below addresses of their own. */
export function createSiteSource(options: Options): SiteSource {
  const { editions = [], pages } = options;
  const translations = editions.filter(({ version }) => version === null);
  const languagesOf = createLanguages(translations);
  const current = createPages(options, { languagesOf, edition: undefined });
  const others = new Map(
    editions.map((edition) => [
      edition.id,
      createPages({ ...options, ...edition }, { languagesOf, edition }),
    ]),
  );
  const at = (path: string) => others.get(editionOf(path) ?? "") ?? current;
  return {
    origin: options.origin,
    errors: knownErrors(pages),
    page: (path) => at(path).page(path),
    edition: (path) => at(path).frame,
    markdown: (path, setup) => at(path).markdown(path, setup),
    image: (path) => options.images?.[path] ?? options.images?.[currentPath(path)] ?? SHARED_IMAGE,
    tree: (path) => at(path).tree(path),
    branches: (path) => at(path).branches(path),
    search: options.search,
    status: options.status,
  };
}

/** For each page, the languages that have it. */
function createLanguages(translations: readonly Edition[]) {
  const nameOf = (language: string) =>
    new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
  const { language: main } = siteConfig.search;
  const found = new Map<string, PageLanguage[]>();
  for (const { language, pages: translated } of translations)
    for (const { path } of translated) {
      const key = currentPath(path);
      const own = { language: main, name: nameOf(main), path: key };
      found.set(key, [...(found.get(key) ?? [own]), { language, name: nameOf(language), path }]);
    }
  return (path: string): readonly PageLanguage[] => found.get(currentPath(path)) ?? [];
}

interface PagesOf {
  languagesOf: (path: string) => readonly PageLanguage[];
  /** Undefined for the documentation itself. */
  edition: Edition | undefined;
}

/** The pages and the tree of the documentation or of an edition; each page is prepared on its first request. */
function createPages(options: Options, { languagesOf, edition }: PagesOf) {
  const { origin, spriteUrl, navigation } = options;
  const pages = new Map(options.pages.map((page) => [page.path, page]));
  const ready = new Map<string, SitePage>();
  const lang = (to: string | undefined) => foreign(to, edition);
  const tree = treeOf(navigation, (to) => (edition && !lang(to) ? edition.language : undefined));
  const prepare = (page: Page): SitePage => ({
    path: page.path,
    title: fillPlaceholders(page.title, origin),
    description: fillPlaceholders(page.description, origin),
    isPreview: page.availability === "preview",
    isDraft: page.draft,
    html: fillPlaceholders(page.html, origin).replaceAll("{{sprite}}", spriteUrl),
    headings: page.headings.map((heading) => ({ ...heading, text: fillPlaceholders(heading.text, origin) })),
    crumbs: breadcrumbs(navigation, page.path).map((crumb) => ({ ...crumb, ...lang(crumb.to) })),
    ...neighbourLinks(navigation, page.path, lang),
    updated: page.updated,
    ran: page.ran,
    editUrl: editUrlOf(siteConfig.repository, page.file),
    languages: languagesOf(page.path),
  });
  return {
    frame: edition && frameOf(edition, options.hasIndexes ?? true),
    page(path: string) {
      const page = pages.get(path);
      if (!page) return undefined;
      const known = ready.get(path) ?? prepare(page);
      ready.set(path, known);
      return known;
    },
    markdown(path: string, setup: Setup) {
      const page = pages.get(path);
      return page && markdownForSetup(page, origin, setup);
    },
    tree: (path: string) => renderTree(tree, path, spriteUrl),
    branches: (path: string) => renderBranches(tree, path),
  };
}

function frameOf({ id, language, words }: Edition, hasIndexes: boolean): EditionFrame {
  const { indexName, provider } = siteConfig.search;
  // Another search service has one index.
  return {
    language,
    words,
    index: hasIndexes && provider === "embedded" ? editionIndex(indexName, id) : indexName,
  };
}

/** The language of what leads out of the edition, or is not in its language. */
function foreign(to: string | undefined, edition: Edition | undefined): { lang: string } | undefined {
  const { language } = siteConfig.search;
  if (!edition || edition.language === language) return undefined;
  return to !== undefined && editionOf(to) === edition.id ? undefined : { lang: language };
}

function neighbourLinks(
  navigation: Navigation,
  path: string,
  langOf: (to: string) => { lang: string } | undefined,
): Pick<SitePage, "previous" | "next"> {
  const { previous, next } = neighbours(navigation, path);
  const link = ({ label, to }: NavigationLink): PageLink => ({ label, to, ...langOf(to) });
  return { previous: previous && link(previous), next: next && link(next) };
}

/** Converts the content's navigation to the tree of the specification. */
function treeOf({ top, sections }: Navigation, langOf: (to: string) => string | undefined): TreeNavigation {
  /** @param isMarked whether the section itself is marked as a preview */
  const itemIn =
    (isMarked: boolean) =>
    ({ to, label, end, isPreview, links, more }: NavigationLink): NavItem => ({
      to,
      children: label,
      ...(langOf(to) && { lang: langOf(to)! }),
      ...(end && { end }),
      ...(isPreview && !isMarked && { isPreview }),
      ...(links.length > 0 && { subLinks: links.map(itemIn(isMarked)) }),
      ...(more.length > 0 && { subLinks: more.map(itemIn(isMarked)), isOnDemand: true }),
    });
  return {
    top: top.map(itemIn(false)),
    sections: sections.map(({ name, icon, isPreview, links, subSections }) => ({
      name,
      icon,
      isPreview,
      links: links.map(itemIn(isPreview)),
      subSections: subSections.map((sub) => ({ name: sub.name, links: sub.links.map(itemIn(isPreview)) })),
    })),
  };
}
