/** The state of every entry of the browser's history when it was left: scroll positions and focus. */

export interface Position {
  top: number;
  left: number;
}

export interface PlaceRecord {
  page: Position;
  /** By the name in `data-keep-scroll`. */
  inner: { [name: string]: Position };
  /** A selector; null: nothing that can be found again. */
  focus: string | null;
}

const KEPT = "millrace-places";
/** Number of remembered entries; the oldest is forgotten first. */
export const MAX_PLACES = 50;

export const emptyRecord = (): PlaceRecord => ({ page: { top: 0, left: 0 }, inner: {}, focus: null });

/** By the key of the history's entry; stored for a reload in `storage`. */
export class PlaceMemory {
  readonly #records: Map<string, PlaceRecord>;
  readonly #storage: Pick<Storage, "getItem" | "setItem"> | undefined;

  constructor(storage?: Pick<Storage, "getItem" | "setItem">) {
    this.#storage = storage;
    this.#records = readKept(storage);
  }

  find(key: string): PlaceRecord | undefined {
    return this.#records.get(key);
  }

  change(key: string, part: Partial<PlaceRecord>): void {
    const record = { ...(this.#records.get(key) ?? emptyRecord()), ...part };
    // The entry changed last is the newest.
    this.#records.delete(key);
    this.#records.set(key, record);
    for (const oldest of this.#records.keys()) {
      if (this.#records.size <= MAX_PLACES) break;
      this.#records.delete(oldest);
    }
  }

  keep(): void {
    try {
      this.#storage?.setItem(KEPT, JSON.stringify([...this.#records]));
    } catch {}
  }
}

function readKept(storage?: Pick<Storage, "getItem">): Map<string, PlaceRecord> {
  try {
    const kept: unknown = JSON.parse(storage?.getItem(KEPT) ?? "[]");
    return new Map((kept as [string, PlaceRecord][]).filter(([, record]) => isRecord(record)));
  } catch {
    return new Map();
  }
}

/** The browser's storage may contain anything. */
function isRecord(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { page, inner, focus } = value as { [name: string]: unknown };
  const isPosition = (each: unknown) =>
    typeof each === "object" && each !== null && "top" in each && "left" in each;
  if (!isPosition(page) || typeof inner !== "object" || inner === null) return false;
  return Object.values(inner).every(isPosition) && (focus === null || typeof focus === "string");
}

/** A selector that finds this element, or its replacement, again; null when there is no lasting one. */
export function focusKeyOf(element: Element): string | null {
  const key = element.getAttribute("data-focus-key");
  if (key !== null) return `[data-focus-key="${CSS.escape(key)}"]`;
  // React's own ids change between renderings of the same place.
  if (element.id !== "" && !element.id.startsWith("_r_")) return `#${CSS.escape(element.id)}`;
  const href = element.getAttribute("href");
  return href === null ? null : `main a[href="${CSS.escape(href)}"]`;
}
