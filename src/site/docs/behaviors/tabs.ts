import { applyTabChoices, labelOf, rememberChoice, selectTab, tabsOf } from "./tab-choice.ts";

/**
 * Tabs in static HTML: a click or an arrow key selects, Home and End go to the ends, and only the selected
 * tab is in the tab order. A choice applies to all tabs of the same group, on this page and on later ones.
 * @param root the element that holds the tabs; call again for each new page.
 * @returns a function that stops this.
 */
export function startTabs(root: HTMLElement): () => void {
  applyTabChoices(root);
  const controller = new AbortController();
  const { signal } = controller;
  root.addEventListener(
    "click",
    (event) => {
      const tab = tabOf(event);
      if (tab) chooseTab(root, tab);
    },
    { signal },
  );
  root.addEventListener(
    "keydown",
    (event) => {
      const tab = tabOf(event);
      const next = tab && neighbour(tab, event);
      if (!next) return;
      event.preventDefault();
      chooseTab(root, next);
      next.focus();
    },
    { signal },
  );
  return () => controller.abort();
}

function tabOf(event: Event): HTMLElement | null {
  return event.target instanceof Element ? event.target.closest<HTMLElement>("[role=tab]") : null;
}

/** The tab that a key leads to; undefined for other keys and for keys with a modifier. */
function neighbour(tab: HTMLElement, event: KeyboardEvent): HTMLElement | undefined {
  if (event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return undefined;
  const list = tab.closest("[role=tablist]");
  const tabs = [...(list?.querySelectorAll<HTMLElement>("[role=tab]") ?? [])];
  const at = tabs.indexOf(tab);
  switch (event.key) {
    case "ArrowRight":
      return tabs[(at + 1) % tabs.length];
    case "ArrowLeft":
      return tabs.at(at - 1);
    case "Home":
      return tabs[0];
    case "End":
      return tabs.at(-1);
    default:
      return undefined;
  }
}

function chooseTab(root: HTMLElement, tab: HTMLElement): void {
  const before = tab.getBoundingClientRect().top;
  selectTab(tab);
  const group = tab.closest<HTMLElement>(".tabs")?.dataset.group;
  if (group === undefined) return;
  const label = labelOf(tab);
  rememberChoice(group, label);
  for (const tabs of root.querySelectorAll<HTMLElement>(".tabs[data-group]")) {
    const twin = tabs.dataset.group === group && tabsOf(tabs).find((other) => labelOf(other) === label);
    if (twin && twin !== tab) selectTab(twin);
  }
  // Tabs of the same group further up may have changed height; the tab that was clicked must not move.
  const moved = tab.getBoundingClientRect().top - before;
  if (moved !== 0) window.scrollBy({ top: moved, behavior: "instant" });
}
