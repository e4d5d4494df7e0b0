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
import type { PageLink, SitePage, SiteSource } from "../site-source.ts";
import { markdownForSetup } from "./text-files.ts";

interface Options {
  pages: Page[];
  navigation: Navigation;
  origin: string;
  spriteUrl: string;
  /** Page → the address of its social image; empty in development. */
  images?: { [path: string]: string };
  search: SiteSource["search"];
  status: SiteSource["status"];
}

/** For pages without their own image. */
const SHARED_IMAGE = "/og-docs.png";

/** The site's content as its routes see it; each page is prepared on its first request. */
export function createSiteSource(options: Options): SiteSource {
  const { origin, spriteUrl, navigation, images = {} } = options;
  const pages = new Map(options.pages.map((page) => [page.path, page]));
  const ready = new Map<string, SitePage>();
  const tree = treeOf(navigation);
  const prepare = (page: Page): SitePage => ({
    path: page.path,
    title: fillPlaceholders(page.title, origin),
    description: fillPlaceholders(page.description, origin),
    isPreview: page.availability === "preview",
    isDraft: page.draft,
    html: fillPlaceholders(page.html, origin).replaceAll("{{sprite}}", spriteUrl),
    headings: page.headings.map((heading) => ({ ...heading, text: fillPlaceholders(heading.text, origin) })),
    crumbs: breadcrumbs(navigation, page.path),
    ...neighbourLinks(navigation, page.path),
    updated: page.updated,
    ran: page.ran,
    editUrl: editUrlOf(siteConfig.repository, page.file),
  });
  return {
    origin,
    errors: knownErrors(options.pages),
    page(path) {
      const page = pages.get(path);
      if (!page) return undefined;
      const known = ready.get(path) ?? prepare(page);
      ready.set(path, known);
      return known;
    },
    markdown(path, setup) {
      const page = pages.get(path);
      return page && markdownForSetup(page, origin, setup);
    },
    image: (path) => images[path] ?? SHARED_IMAGE,
    tree: (path) => renderTree(tree, path, spriteUrl),
    branches: (path) => renderBranches(tree, path),
    search: options.search,
    status: options.status,
  };
}

function neighbourLinks(navigation: Navigation, path: string): Pick<SitePage, "previous" | "next"> {
  const { previous, next } = neighbours(navigation, path);
  return { previous: previous && pageLink(previous), next: next && pageLink(next) };
}

const pageLink = ({ label, to }: NavigationLink): PageLink => ({ label, to });

/** Converts the content's navigation to the tree of the specification. */
function treeOf({ top, sections }: Navigation): TreeNavigation {
  /** @param isMarked whether the section itself is marked as a preview */
  const itemIn =
    (isMarked: boolean) =>
    ({ to, label, end, isPreview, links, more }: NavigationLink): NavItem => ({
      to,
      children: label,
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
