/** The things last opened from the menu, by person and organization: only keys are stored, names are read again. */
import type { Entry } from "./entries.ts";

const MAX_RECENT = 5;
const MAX_KEY = 200;

interface Whose {
  user: string;
  organization: string;
}

const nameOf = ({ user, organization }: Whose) => `millrace-recent:${user}:${organization}`;

/** @param entries the current ones, by key: deleted ones, and those that the person may no longer see, are left out */
export function readRecent(whose: Whose, entries: ReadonlyMap<string, Entry>): Entry[] {
  return readKeys(whose).flatMap((key) => {
    const entry = entries.get(key);
    return entry ? [entry] : [];
  });
}

export function keepRecent(whose: Whose, key: string): void {
  const keys = [key, ...readKeys(whose).filter((each) => each !== key)].slice(0, MAX_RECENT);
  try {
    localStorage.setItem(nameOf(whose), JSON.stringify(keys));
  } catch {}
}

/** The browser's storage may contain anything. */
function readKeys(whose: Whose): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(nameOf(whose)) ?? "[]");
    return Array.isArray(kept)
      ? kept
          .filter((key): key is string => typeof key === "string" && key.length <= MAX_KEY)
          .slice(0, MAX_RECENT)
      : [];
  } catch {
    return [];
  }
}
