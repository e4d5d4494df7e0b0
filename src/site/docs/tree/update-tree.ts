import { matchLink } from "./match-link.ts";
import type { Branches } from "./types.ts";

/**
 * Brings the tree that `renderTree` made to the state of another page without rendering: which links are
 * matched and current, which branches are shown. Sections that the reader folded stay folded.
 * @param root the element that holds the tree.
 * @param branches result of `renderBranches` for that page.
 */
export function updateTree(root: ParentNode, pathname: string, branches: Branches): void {
  for (const link of root.querySelectorAll<HTMLAnchorElement>("a")) {
    const to = link.getAttribute("href") ?? "";
    const match = matchLink(to, pathname, link.hasAttribute("data-end"));
    const isMatched = match !== "none";
    setClass(link, isMatched && "is-matched");
    if (match === "current") link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    const item = link.parentElement;
    if (item) setClass(item, isMatched && "is-trail");
    const branch = item?.querySelector(":scope > .branch");
    if (!branch) link.insertAdjacentHTML("afterend", branches[to] ?? "");
    else if (isMatched || !branch.hasAttribute("data-on-demand"))
      branch.toggleAttribute("hidden", !isMatched);
    else branch.remove();
  }
}

function setClass(element: Element, name: string | false): void {
  if (name) element.setAttribute("class", name);
  else element.removeAttribute("class");
}
