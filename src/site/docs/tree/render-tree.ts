/**
 * The navigation tree of a page as a string of HTML, the content of `<nav class="tree">`. It is rendered once
 * per page on the server and never by React; after a client navigation `updateTree` brings the existing nodes
 * to the same state.
 */
import { escapeXml } from "#platform/text/escape-xml.ts";
import { matchLink } from "./match-link.ts";
import type { Branches, NavItem, NavSection, TreeNavigation } from "./types.ts";

/** Branches deeper than this are not indented further. */
const MAX_INDENTED_DEPTH = 3;

interface Context {
  pathname: string;
  /** Address of the icon sprite. */
  sprite: string;
}

/**
 * @param pathname of the page shown, with or without a trailing slash.
 * @param sprite address of the icon sprite; the default is replaced where the HTML is used.
 */
export function renderTree(navigation: TreeNavigation, pathname: string, sprite = "{{sprite}}"): string {
  const context = { pathname, sprite };
  const top = navigation.top.map((item) => renderItem(item, 1, context)).join("");
  const sections = navigation.sections.map((section) => renderSection(section, context)).join("");
  return `<ul class="tree-top">${top}</ul>${sections}`;
}

/** The data that `updateTree` needs to bring the existing tree to the state of another page. */
export function renderBranches(navigation: TreeNavigation, pathname: string): Branches {
  const branches: Branches = {};
  const collect = (items: NavItem[], depth: number) => {
    for (const { to, end = false, subLinks = [], isOnDemand } of items) {
      if (matchLink(to, pathname, end) === "none") continue;
      if (isOnDemand)
        branches[to] = renderBranch(subLinks, depth + 1, { isOnDemand }, { pathname, sprite: "" });
      collect(subLinks, depth + 1);
    }
  };
  collect(navigation.top, 1);
  for (const { links, subSections = [] } of navigation.sections)
    for (const group of [links, ...subSections.map((sub) => sub.links)]) collect(group, 1);
  return branches;
}

function renderSection(
  { name, icon, isPreview = false, links, subSections = [] }: NavSection,
  context: Context,
): string {
  const id = `tree-${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
  const head =
    `<button class="tree-head" type="button" aria-expanded="true">` +
    `${renderIcon(icon, "icon", context)}<span>${escapeXml(name)}</span>${renderMark(isPreview)}` +
    `${renderIcon("chevron-right", "icon tree-caret", context)}</button>`;
  const items = links.map((item) => renderItem(item, 1, context));
  for (const subSection of subSections) {
    items.push(`<li class="tree-sub">${escapeXml(subSection.name)}</li>`);
    items.push(...subSection.links.map((item) => renderItem(item, 1, context)));
  }
  const branch = `<ul class="branch" id="${id}">${items.join("")}</ul>`;
  return `<div class="tree-section">${head}${branch}</div>`;
}

function renderItem(item: NavItem, depth: number, context: Context): string {
  const { to, children, end = false, isPreview, subLinks = [], isOnDemand = false } = item;
  const match = matchLink(to, context.pathname, end);
  const attributes = [
    `href="${escapeXml(to)}"`,
    item.lang ? `lang="${item.lang}"` : "",
    end ? 'data-end=""' : "",
    match === "none" ? "" : 'class="is-matched"',
    match === "current" ? 'aria-current="page"' : "",
  ];
  const label = `${renderLabel(children)}${renderMark(isPreview)}${renderCount(subLinks.length)}`;
  const link = `<a ${attributes.filter(Boolean).join(" ")}>${label}</a>`;
  const isHidden = match === "none";
  const branch =
    isHidden && isOnDemand ? "" : renderBranch(subLinks, depth + 1, { isHidden, isOnDemand }, context);
  return `<li${isHidden ? "" : ' class="is-trail"'}>${link}${branch}</li>`;
}

function renderBranch(
  items: NavItem[],
  depth: number,
  { isHidden = false, isOnDemand = false },
  context: Context,
): string {
  if (items.length === 0) return "";
  const className = depth > MAX_INDENTED_DEPTH ? "branch is-flat" : "branch";
  const state = (isOnDemand ? ' data-on-demand=""' : "") + (isHidden ? ' hidden=""' : "");
  const children = items.map((item) => renderItem(item, depth, context)).join("");
  return `<ul class="${className}"${state}>${children}</ul>`;
}

/** "Go" alone is a command to whoever hears it, and to a search engine: a link that does not say where it leads. */
const renderLabel = (text: string): string =>
  text === "Go" ? 'Go<span class="vh"> language</span>' : escapeXml(text);

const renderMark = (isPreview = false): string => (isPreview ? "<small> Preview</small>" : "");

function renderCount(count: number): string {
  if (count === 0) return "";
  const label = count === 1 ? "1 page" : `${count} pages`;
  return `<span class="count" role="img" aria-label="${label}">${count}</span>`;
}

function renderIcon(name: string, className: string, { sprite }: Context): string {
  return `<svg class="${className}" aria-hidden="true"><use href="${escapeXml(sprite)}#l-${escapeXml(name)}"></use></svg>`;
}
