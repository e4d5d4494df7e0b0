/**
 * The last searches that led to an opened hit, the newest first. Stored in this browser only, in localStorage under
 * `searches` as a JSON list of texts; not stored if storage is forbidden or full.
 */

const STORAGE_KEY = "searches";
const MAX_SEARCHES = 8;
/** Characters. Longer texts, such as pasted logs, are not worth repeating. */
const MAX_LENGTH = 120;

const listeners = new Set<() => void>();

/** @returns the stored text, for comparing; null if there is none. */
export function storedSearches(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

/** Whatever else is stored, the result is a short list of short texts. */
export function recentSearches(stored = storedSearches()): string[] {
  try {
    const list: unknown = JSON.parse(stored ?? "[]");
    if (!Array.isArray(list)) return [];
    const texts = list.filter((text) => typeof text === "string" && text !== "" && text.length <= MAX_LENGTH);
    return [...new Set<string>(texts)].slice(0, MAX_SEARCHES);
  } catch {
    return [];
  }
}

export function keepSearch(query: string): void {
  const text = query.trim().replaceAll(/\s+/g, " ");
  if (text === "" || text.length > MAX_LENGTH) return;
  const others = recentSearches().filter((other) => other.toLowerCase() !== text.toLowerCase());
  store([text, ...others].slice(0, MAX_SEARCHES));
}

export function forgetSearch(query: string): void {
  store(recentSearches().filter((other) => other !== query));
}

export function forgetSearches(): void {
  store([]);
}

function store(searches: string[]): void {
  try {
    if (searches.length > 0) localStorage.setItem(STORAGE_KEY, JSON.stringify(searches));
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Forbidden or full: nothing is stored.
  }
  for (const listener of listeners) listener();
}

/** Calls back after each change, in this tab or another. @returns a function that stops this. */
export function subscribeSearches(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => (key === STORAGE_KEY || key === null) && listener();
  listeners.add(listener);
  addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", onStorage);
  };
}
