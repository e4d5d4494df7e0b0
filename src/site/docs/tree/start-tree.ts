import { toggleSection } from "./closed-sections.ts";

/**
 * Makes the sections of the static tree foldable. The inlined script (`boot/place-tree.ts`) sets their
 * initial state and the scroll position; link delegation handles links, and `updateTree` navigations.
 * @param root the element that holds the tree.
 * @returns a function that stops this.
 */
export function startTree(root: HTMLElement): () => void {
  root.addEventListener("click", onClick);
  return () => root.removeEventListener("click", onClick);
}

function onClick(event: MouseEvent): void {
  const head = event.target instanceof Element ? event.target.closest(".tree-head") : null;
  if (head) toggleSection(head);
}
