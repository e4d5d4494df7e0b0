/**
 * Entries that were found a moment ago: a hit of a hot key costs no query. Entries that this process changes are forgotten
 * immediately. With PostgreSQL another server may also change them, so nothing is remembered for longer than a few seconds.
 */
import type { EntryRow } from "../records/entries.ts";
import { MAX_REMEMBERED_BYTES, MAX_REMEMBERED_ENTRIES } from "../contract/limits.ts";

export interface Remembered {
  get(namespaceId: string, key: string): EntryRow | undefined;
  /** @param asOf returned by `asOf()` before the database was queried */
  add(entry: EntryRow, asOf: number): void;
  asOf(): number;
  forget(namespaceId: string, key: string): void;
  /** All entries with these bytes. */
  forgetDigest(digest: string): void;
}

/** The approximate size of one entry's objects. */
const ENTRY_BYTES = 600;
const sizeOf = ({ key, meta, blob }: EntryRow) =>
  ENTRY_BYTES + key.length + meta.length + (blob.content?.length ?? 0);

/** @param maxAgeMs null: only this process changes entries */
export function createRemembered(clock: () => number, maxAgeMs: number | null): Remembered {
  const known = new Map<string, { entry: EntryRow; readAt: number }>();
  let bytes = 0;
  let changes = 0;
  const nameOf = (namespaceId: string, key: string) => namespaceId + key;

  function remove(name: string): void {
    const entry = known.get(name)?.entry;
    if (!entry) return;
    known.delete(name);
    bytes -= sizeOf(entry);
  }

  return {
    get(namespaceId, key) {
      const name = nameOf(namespaceId, key);
      const found = known.get(name);
      if (!found) return undefined;
      if (maxAgeMs !== null && Math.abs(clock() - found.readAt) >= maxAgeMs) {
        remove(name);
        return undefined;
      }
      // The map is kept in the order of use.
      known.delete(name);
      known.set(name, found);
      return found.entry;
    },
    asOf: () => changes,
    add(entry, asOf) {
      // The entry may be older than a change that was made meanwhile.
      if (asOf !== changes) return;
      const name = nameOf(entry.namespaceId, entry.key);
      remove(name);
      known.set(name, { entry, readAt: clock() });
      bytes += sizeOf(entry);
      while (known.size > MAX_REMEMBERED_ENTRIES || bytes > MAX_REMEMBERED_BYTES) {
        const [oldest] = known.keys();
        if (oldest === undefined) return;
        remove(oldest);
      }
    },
    forget(namespaceId, key) {
      changes += 1;
      remove(nameOf(namespaceId, key));
    },
    forgetDigest(digest) {
      changes += 1;
      // Damaged files are rare enough to look through all.
      for (const [name, { entry }] of known) if (entry.blob.digest === digest) remove(name);
    },
  };
}
