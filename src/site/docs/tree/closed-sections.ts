/**
 * The tree's sections that the reader has closed. Open is the default, so only closed ones are stored, by
 * name, as JSON in localStorage under `tree`. The state is `aria-expanded` on a section's header; CSS hides
 * its branch.
 */
const STORAGE_KEY = "tree";

/** Start of a branch's id: `tree-`, then the section's name in lower case. */
const ID_PREFIX = "tree-";

/**
 * Closes the sections that the reader has closed; in the server's HTML all are open. Called by the script
 * inlined after the tree; keep it small.
 */
export function applyClosedSections(): void {
  try {
    for (const name of JSON.parse(localStorage[STORAGE_KEY]) as Iterable<unknown>)
      document
        .getElementById(`${ID_PREFIX}${name}`)
        ?.previousElementSibling?.setAttribute("aria-expanded", "false");
  } catch {
    // Nothing is stored, storage is forbidden, or the value is not a list of names.
  }
}

/** Opens or closes the section of a `.tree-head` button, and remembers which are closed. */
export function toggleSection(head: Element): void {
  head.setAttribute("aria-expanded", String(head.getAttribute("aria-expanded") !== "true"));
  const heads = head.closest(".tree")?.querySelectorAll('.tree-head[aria-expanded="false"]') ?? [];
  try {
    localStorage[STORAGE_KEY] = JSON.stringify([...heads].map(nameOf));
  } catch {
    // Storage is full or forbidden: the section still folds, for this page only.
  }
}

const nameOf = (head: Element) => head.nextElementSibling?.id.slice(ID_PREFIX.length);
