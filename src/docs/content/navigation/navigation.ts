import { LineCounter, parseDocument, visit } from "yaml";
import { checkTree } from "./check-navigation.ts";
import {
  linkFolders,
  type LinkSource,
  type NamedPage,
  navigationSchema,
  type NavigationSource,
  sectionLinks,
} from "./navigation-source.ts";
import { ProblemList } from "../problem.ts";
import { readYaml } from "../read-yaml.ts";
import type { ContentProblem } from "../types.ts";

export interface NavigationLink {
  /** A page's path. */
  to: string;
  label: string;
  /** Matched on the exact path only. */
  end: boolean;
  /** Whether the page's part does not run yet. */
  isPreview: boolean;
  /** Shown one level deeper while the link is matched. */
  links: NavigationLink[];
  /** The same for pages outside the specified tree: only pages that show them have them in their HTML. */
  more: NavigationLink[];
}

export interface NavigationSection {
  name: string;
  /** A Lucide icon's name. */
  icon: string;
  /** Whether all its pages are previews. */
  isPreview: boolean;
  links: NavigationLink[];
  subSections: { name: string; links: NavigationLink[] }[];
}

export interface Navigation {
  top: NavigationLink[];
  sections: NavigationSection[];
}

/** A breadcrumb; a subsection has no page. */
export interface Breadcrumb {
  label: string;
  to?: string;
}

export const emptyNavigation: Navigation = { top: [], sections: [] };

/**
 * `content/navigation.yaml` → the tree with its labels. A link to a page that does not exist is left out and is a problem, as
 * is a page that is missing in the tree or twice in a section.
 * @param broken paths of existing pages that have their own mistakes
 */
export function readNavigation(
  source: string,
  file: string,
  pages: readonly NamedPage[],
  broken: readonly string[] = [],
): { navigation: Navigation; problems: ContentProblem[] } {
  const { data: read, problems: mistakes } = readYaml(file, source, navigationSchema, { rule: "navigation" });
  if (!read) return { navigation: emptyNavigation, problems: mistakes };
  const data = linkFolders(read, pages);
  const problems = new ProblemList(file);
  const lines = new Map<string, number>();
  const lineCounter = new LineCounter();
  visit(parseDocument(source, { lineCounter }), {
    Scalar(_key, node) {
      const line = lineCounter.linePos(node.range?.[0] ?? 0).line;
      if (typeof node.value === "string" && !lines.has(node.value)) lines.set(node.value, line);
    },
  });
  checkTree(data, { pages, broken }, (path) => lines.get(path) ?? 1, problems);
  return { navigation: labelTree(data, pages), problems: problems.problems };
}

function labelTree(source: NavigationSource, pages: readonly NamedPage[]): Navigation {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const labelled = (links: readonly LinkSource[]): NavigationLink[] =>
    links.flatMap((link) => {
      const page = byPath.get(link.to);
      if (!page) return [];
      const more = labelled(link.more.map((to) => ({ to, end: false, links: [], more: [] })));
      const label = link.label ?? page.navTitle;
      const isPreview = page.availability === "preview";
      return [{ to: link.to, label, end: link.end, isPreview, links: labelled(link.links), more }];
    });
  return {
    top: labelled(source.top),
    sections: source.sections.map(({ name, icon, links, subSections }) => {
      const inner = subSections.map((sub) => ({ name: sub.name, links: labelled(sub.links) }));
      const section = { links: labelled(links), subSections: inner };
      const all = flatten(sectionLinks(section));
      const isPreview = all.length > 0 && all.every((link) => link.isPreview);
      return { name, icon, isPreview, ...section };
    }),
  };
}

/** In reading order: a link, then its sub-links. */
function flatten(links: readonly NavigationLink[]): NavigationLink[] {
  return links.flatMap((link) => [link, ...flatten(link.more), ...flatten(link.links)]);
}

/** Every page once, in the order of the tree; pages below a page follow it. */
export function pageOrder(navigation: Navigation): NavigationLink[] {
  const links = flatten([
    ...navigation.top,
    ...navigation.sections.flatMap((section) => sectionLinks(section)),
  ]);
  return [...new Map(links.toReversed().map((link) => [link.to, link])).values()].toReversed();
}

/**
 * The previous and next page: along the specified tree, across sections; pages in a link's `more` lead through each other
 * and back to the link's page.
 */
export function neighbours(
  navigation: Navigation,
  path: string,
): { previous: NavigationLink | null; next: NavigationLink | null } {
  const order = pageOrder(navigation);
  const below = new Set(order.flatMap(({ more }) => more.map(({ to }) => to)));
  const parent = order.find(({ more }) => more.some(({ to }) => to === path));
  const way = parent ? [parent, ...parent.more] : order.filter(({ to }) => !below.has(to));
  const index = way.findIndex(({ to }) => to === path);
  if (index < 0) return { previous: null, next: null };
  return { previous: way[index - 1] ?? null, next: way[index + 1] ?? null };
}

/** The section name of pages without a section. */
export const NO_SECTION = "Documentation";

/** The name of the first section that shows the page; "Documentation" for the links at the top and for unknown pages. */
export function sectionOf(navigation: Navigation, path: string): string {
  const section = navigation.sections.find((candidate) =>
    flatten(sectionLinks(candidate)).some(({ to }) => to === path),
  );
  return section?.name ?? NO_SECTION;
}

/** Section › subsection › parent pages › the page itself. A section leads to its first page. */
export function breadcrumbs(navigation: Navigation, path: string): Breadcrumb[] {
  const top = trailTo(navigation.top, path);
  if (top) return top.map(crumbOf);
  for (const section of navigation.sections) {
    const first = section.links[0];
    const head: Breadcrumb = { label: section.name, ...(first ? { to: first.to } : {}) };
    const trail = trailTo(section.links, path);
    if (trail) return [head, ...trail.map(crumbOf)];
    for (const sub of section.subSections) {
      const inner = trailTo(sub.links, path);
      if (inner) return [head, { label: sub.name }, ...inner.map(crumbOf)];
    }
  }
  return [];
}

function crumbOf({ label, to }: NavigationLink): Breadcrumb {
  return { label, to };
}

function trailTo(links: readonly NavigationLink[], path: string): NavigationLink[] | null {
  for (const link of links) {
    if (link.to === path) return [link];
    const inner = trailTo([...link.links, ...link.more], path);
    if (inner) return [link, ...inner];
  }
  return null;
}
