/**
 * The chosen tab of each group of tabs, by label; kept in localStorage under `tabs` as JSON `{group: label}`,
 * and shared by all tabs of that group on every page. Small enough for the boot script, which applies the
 * choice as soon as the page is parsed: later, the article would shift while being read. In sessionStorage the
 * same key has the choices of an address with `?setup=` for this visit, which take precedence (decision 039).
 */
const STORAGE_KEY = "tabs";

type Place = "localStorage" | "sessionStorage";

/** Always an object: a missing, unreadable or other value counts as no choice. */
export function readChoices(place: Place): object {
  try {
    return { ...JSON.parse(window[place][STORAGE_KEY]) };
  } catch {
    return {};
  }
}

export function allChoices(): Record<string, unknown> {
  return { ...readChoices("localStorage"), ...readChoices("sessionStorage") };
}

export function rememberChoice(group: string, label: string): void {
  writeChoice("localStorage", group, label);
  // Otherwise the address's choice would return on the next page.
  if (group in readChoices("sessionStorage")) writeChoice("sessionStorage", group, label);
}

function writeChoice(place: Place, group: string, label: string): void {
  try {
    window[place][STORAGE_KEY] = JSON.stringify({ ...readChoices(place), [group]: label });
  } catch {
    // Storage is full or forbidden: the choice lasts for this page only.
  }
}

/** Shows the remembered tab of every group; groups without that tab do not change. */
export function applyTabChoices(root: ParentNode): void {
  const choices = allChoices();
  for (const tabs of root.querySelectorAll<HTMLElement>(".tabs[data-group]")) {
    const label = choices[tabs.dataset.group ?? ""];
    const tab = tabsOf(tabs).find((candidate) => labelOf(candidate) === label);
    if (tab) selectTab(tab);
  }
}

/** Selects a tab in its own list. */
export function selectTab(tab: Element): void {
  for (const other of tab.parentElement?.children ?? []) {
    const isSelected = other === tab;
    other.setAttribute("aria-selected", String(isSelected));
    (other as HTMLElement).tabIndex = isSelected ? 0 : -1;
    document
      .getElementById(other.getAttribute("aria-controls") ?? "")
      ?.toggleAttribute("hidden", !isSelected);
  }
}

/** The tabs of a group's own list, not those of tabs inside its panels. */
export function tabsOf(tabs: Element): Element[] {
  return [...tabs.querySelectorAll(":scope > [role=tablist] > [role=tab]")];
}

export function labelOf(tab: Element): string {
  return tab.textContent.trim();
}
