/**
 * The tree's sections that the reader has closed: open is the default, so only closed ones are remembered, by name, as
 * JSON in localStorage under `tree`. The boot script imports this; keep it small.
 */
const STORAGE_KEY = "tree";

/** An unreadable or foreign value counts as nothing closed. */
function readClosedSections(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage[STORAGE_KEY] ?? "[]");
    return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

const STYLE_ID = "closed-sections";

/**
 * For the script in `<head>`: the tree is not parsed yet, so a style hides the closed branches until
 * `applyClosedSections` closes the nodes themselves. Nothing is painted open first.
 */
export function hideClosedSections(): void {
  const style = document.createElement("style");
  style.id = STYLE_ID;
  try {
    // A stored value that is no list of names throws, or makes a rule that matches nothing.
    for (const name of JSON.parse(localStorage[STORAGE_KEY]) as Iterable<unknown>)
      style.textContent += `[data-section=${JSON.stringify(name)}]>.branch{display:none}`;
    document.head.append(style);
  } catch {
    // Nothing is closed.
  }
}

/** Closes the sections that the reader has closed and opens the others. */
export function applyClosedSections(root: ParentNode): void {
  const closed = readClosedSections();
  for (const section of root.querySelectorAll<HTMLElement>("[data-section]"))
    setOpen(section, !closed.includes(section.dataset.section ?? ""));
  document.getElementById(STYLE_ID)?.remove();
}

/** Opens or closes the section of a `.tree-head` button, and remembers it. */
export function toggleSection(head: Element): void {
  const section = head.closest<HTMLElement>("[data-section]");
  if (!section) return;
  const isOpen = head.getAttribute("aria-expanded") !== "true";
  setOpen(section, isOpen);
  const name = section.dataset.section ?? "";
  const others = readClosedSections().filter((other) => other !== name);
  try {
    localStorage[STORAGE_KEY] = JSON.stringify(isOpen ? others : [...others, name]);
  } catch {
    // Storage is full or forbidden: the section folds all the same, for this page.
  }
}

function setOpen(section: Element, isOpen: boolean): void {
  section.querySelector(".tree-head")?.setAttribute("aria-expanded", String(isOpen));
  section.querySelector(".branch")?.toggleAttribute("hidden", !isOpen);
}
