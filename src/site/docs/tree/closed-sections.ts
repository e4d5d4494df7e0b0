/**
 * The tree's sections that the reader has closed: open is the default, so only closed ones are remembered, by name, as
 * JSON in localStorage under `tree`. The state is `aria-expanded` of a section's header; CSS hides the branch after it.
 */
const STORAGE_KEY = "tree";

/** What the branch behind a header is called: `tree-` and the section's name in lower case. */
const ID_PREFIX = "tree-";

/**
 * Closes the sections that the reader has closed; the server's HTML has all of them open. The script inlined behind the tree calls it;
 * keep it small.
 */
export function applyClosedSections(): void {
  try {
    for (const name of JSON.parse(localStorage[STORAGE_KEY]) as Iterable<unknown>)
      document
        .getElementById(`${ID_PREFIX}${name}`)
        ?.previousElementSibling?.setAttribute("aria-expanded", "false");
  } catch {
    // Nothing is stored, storage is forbidden, or the value is no list of names.
  }
}

/** Opens or closes the section of a `.tree-head` button, and remembers which are closed. */
export function toggleSection(head: Element): void {
  head.setAttribute("aria-expanded", String(head.getAttribute("aria-expanded") !== "true"));
  const heads = head.closest(".tree")?.querySelectorAll('.tree-head[aria-expanded="false"]') ?? [];
  try {
    localStorage[STORAGE_KEY] = JSON.stringify([...heads].map(nameOf));
  } catch {
    // Storage is full or forbidden: the section folds all the same, for this page.
  }
}

const nameOf = (head: Element) => head.nextElementSibling?.id.slice(ID_PREFIX.length);
