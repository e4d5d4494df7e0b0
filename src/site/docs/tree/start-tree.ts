import { toggleSection } from "./closed-sections.ts";

/**
 * Brings the static tree to life: its sections fold. How they are at the start, and where the sidebar is scrolled to, is the
 * inlined script's (`boot/place-tree.ts`); links are the link delegation's; a navigation is `updateTree`'s.
 * @param root the element that holds the tree.
 * @returns a function that ends it.
 */
export function startTree(root: HTMLElement): () => void {
  root.addEventListener("click", onClick);
  return () => root.removeEventListener("click", onClick);
}

function onClick(event: MouseEvent): void {
  const head = event.target instanceof Element ? event.target.closest(".tree-head") : null;
  if (head) toggleSection(head);
}
