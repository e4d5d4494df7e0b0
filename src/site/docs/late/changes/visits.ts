/**
 * The pages that the reader has read and when, in this browser only: `localStorage.visits`, shown and erased on `/your-data`.
 *
 *   {"/docs/faq":[20781,"h3Xa9kQ2"]}     page → day (since 1970) and the hashes of its sections, four characters each
 *   off                                  the reader does not want visits to be stored
 */
const STORAGE_KEY = "visits";
const OFF = "off";
const DAY_MS = 86_400_000;
export const HASH_LENGTH = 4;
/** The longest page has about 90 sections. */
const MAX_HASHES = 200;
/** The oldest visits are dropped first. */
export const MAX_VISITS = 60;

export interface Visit {
  day: Date;
  /** Hashes of the page's sections at the visit. */
  hashes: Set<string>;
}

type Stored = Record<string, [day: number, hashes: string]>;

/** Ignores stored values that are not visits. */
function readStored(): Stored {
  try {
    const stored: unknown = JSON.parse(storedVisits() ?? "{}");
    const entries = typeof stored === "object" && stored ? Object.entries(stored) : [];
    return Object.fromEntries(entries.filter(isVisit).slice(-MAX_VISITS));
  } catch {
    return {};
  }
}

function isVisit(entry: [string, unknown]): entry is [string, [number, string]] {
  const [path, visit] = entry;
  if (!/^(?:\/[^/]+)?\/docs/.test(path) || !Array.isArray(visit)) return false;
  const [day, hashes]: unknown[] = visit;
  if (typeof day !== "number" || !Number.isInteger(day) || day < 0 || day > 100_000) return false;
  return typeof hashes === "string" && /^[\w-]*$/.test(hashes) && hashes.length <= MAX_HASHES * HASH_LENGTH;
}

/** Pages with a stored visit. */
export const visitedPages = (): string[] => Object.keys(readStored());

export function visitOf(path: string): Visit | null {
  const stored = readStored();
  const visit = Object.hasOwn(stored, path) ? stored[path] : undefined;
  if (!visit) return null;
  const [day, hashes] = visit;
  return { day: new Date(day * DAY_MS), hashes: new Set(hashes.match(/.{4}/g)) };
}

/** If storage is full or forbidden, nothing is stored, and no changes will be shown. */
export function keepVisit(path: string, hashes: readonly string[], now = Date.now()): void {
  if (areVisitsOff()) return;
  const { [path]: _former, ...others } = readStored();
  const day = Math.floor(now / DAY_MS);
  const kept = Object.entries(others).slice(1 - MAX_VISITS);
  write(JSON.stringify({ ...Object.fromEntries(kept), [path]: [day, hashes.slice(0, MAX_HASHES).join("")] }));
}

/** The stored text; it changes with every visit. */
export function storedVisits(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return OFF;
  }
}

export const areVisitsOff = () => storedVisits() === OFF;

/** Forgets all visits; with false, none is stored from now on. */
export function setVisits(isOn: boolean): void {
  write(isOn ? null : OFF);
}

function write(value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, value);
  } catch {}
}
