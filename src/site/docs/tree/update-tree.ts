import { matchLink } from "./match-link.ts";

/**
 * Brings the tree that `renderTree` made to the state of another page, without rendering: which links are matched and
 * current, which branches are shown. What the reader folded stays folded.
 * @param root the element that holds the tree.
 */
export function updateTree(root: ParentNode, pathname: string): void {
  for (const link of root.querySelectorAll<HTMLAnchorElement>("a.tree-link")) {
    const match = matchLink(link.getAttribute("href") ?? "", pathname, link.hasAttribute("data-end"));
    const isMatched = match !== "none";
    link.classList.toggle("is-matched", isMatched);
    if (match === "current") link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    const item = link.parentElement;
    if (isMatched) item?.setAttribute("class", "is-trail");
    else item?.removeAttribute("class");
    item?.querySelector(":scope > .branch")?.toggleAttribute("hidden", !isMatched);
  }
}

/** Scrolls the sidebar, and nothing else, until the current link is in its middle. */
export function centreCurrentLink(sidebar: HTMLElement): void {
  const row = currentRow(sidebar);
  if (!row) return;
  const frame = sidebar.getBoundingClientRect();
  sidebar.scrollTop += row.top + row.height / 2 - (frame.top + frame.height / 2);
}

/** Scrolls the sidebar until the current link is in its middle, unless the link is in view already. */
export function revealCurrentLink(sidebar: HTMLElement): void {
  const row = currentRow(sidebar);
  const frame = sidebar.getBoundingClientRect();
  if (row && (row.top < frame.top || row.bottom > frame.bottom)) centreCurrentLink(sidebar);
}

/** The place of the first current link that is shown: a page may be in two sections, and a section may be folded. */
function currentRow(sidebar: HTMLElement): DOMRect | undefined {
  const links = [...sidebar.querySelectorAll('[aria-current="page"]')];
  return links.map((link) => link.getBoundingClientRect()).find((row) => row.height > 0);
}
