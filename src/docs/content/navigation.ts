import { LineCounter, parseDocument, visit } from "yaml";
import { checkTree } from "./check-navigation.ts";
import {
  type LinkSource,
  type NamedPage,
  navigationSchema,
  type NavigationSource,
  sectionLinks,
} from "./navigation-source.ts";
import { ProblemList } from "./problem.ts";
import { readYaml } from "./read-yaml.ts";
import type { ContentProblem } from "./types.ts";

export interface NavigationLink {
  /** A page's path. */
  to: string;
  label: string;
  /** Matched on the exact path only. */
  end: boolean;
  /** What the page is about does not run yet. */
  isPreview: boolean;
  /** Shown one level deeper while the link is matched. */
  links: NavigationLink[];
  /** The same for pages that are no part of the specified tree: only pages that show them have them in their HTML. */
  more: NavigationLink[];
}

export interface NavigationSection {
  name: string;
  /** A Lucide icon's name. */
  icon: string;
  /** No page in it is about something that runs. */
  isPreview: boolean;
  links: NavigationLink[];
  subSections: { name: string; links: NavigationLink[] }[];
}

export interface Navigation {
  top: NavigationLink[];
  sections: NavigationSection[];
}

/** One breadcrumb. A subsection has no page of its own. */
export interface Breadcrumb {
  label: string;
  to?: string;
}

export const emptyNavigation: Navigation = { top: [], sections: [] };

/**
 * `content/navigation.yaml` → the tree with its labels. A link to a page that does not exist is left out; that, a page
 * that is missing in the tree and one that is twice in a section are problems.
 * @param broken paths of pages that are there and have a mistake of their own
 */
export function readNavigation(
  source: string,
  file: string,
  pages: readonly NamedPage[],
  broken: readonly string[] = [],
): { navigation: Navigation; problems: ContentProblem[] } {
  const { data, problems: mistakes } = readYaml(file, source, navigationSchema, { rule: "navigation" });
  if (!data) return { navigation: emptyNavigation, problems: mistakes };
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

/** In the order of reading: a link, then its sub-links. */
function flatten(links: readonly NavigationLink[]): NavigationLink[] {
  return links.flatMap((link) => [link, ...flatten(link.more), ...flatten(link.links)]);
}

/** Every page once, in the order in which the tree shows it; pages below one follow it. */
export function pageOrder(navigation: Navigation): NavigationLink[] {
  const links = flatten([
    ...navigation.top,
    ...navigation.sections.flatMap((section) => sectionLinks(section)),
  ]);
  return [...new Map(links.toReversed().map((link) => [link.to, link])).values()].toReversed();
}

/**
 * The pages before and after: along the specified tree, across sections; the pages in a link's `more` lead along one another
 * and back to it.
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

/** Stands for the section of pages that are in none. */
export const NO_SECTION = "Documentation";

/** The name of the section that shows the page first; "Documentation" for the links at the top and for unknown pages. */
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
