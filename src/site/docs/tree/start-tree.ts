import { applyClosedSections, toggleSection } from "./closed-sections.ts";
import { centreCurrentLink } from "./update-tree.ts";

/**
 * Brings the static tree to life: sections fold and are as the reader left them, the current link is in the middle of
 * the sidebar. Links are the link delegation's; a navigation is `updateTree`'s.
 * @param root the element that holds the tree.
 * @returns a function that ends it.
 */
export function startTree(root: HTMLElement): () => void {
  applyClosedSections(root);
  const sidebar = root.closest<HTMLElement>(".sidebar");
  // A reader who has scrolled already has chosen a place.
  if (sidebar && sidebar.scrollTop === 0) centreCurrentLink(sidebar);
  root.addEventListener("click", onClick);
  return () => root.removeEventListener("click", onClick);
}

function onClick(event: MouseEvent): void {
  const head = event.target instanceof Element ? event.target.closest(".tree-head") : null;
  if (head) toggleSection(head);
}
