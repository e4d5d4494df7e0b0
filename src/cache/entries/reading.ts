import { nextTurnOf } from "#platform/fair/work-gate.ts";
import { findEntry, findKeys } from "../records/entries.ts";
import { trustedOf } from "../access/grant.ts";
import type { Cache, Grant } from "../contract/cache.ts";
import type { Misses } from "../misses/misses.ts";
import type { Remembered } from "./remembered.ts";
import type { CacheDatabase } from "../records/schema.ts";
import type { AccessLog } from "../simulate/access-log.ts";
import type { Uses } from "../figures/uses.ts";

export interface ReadingOptions {
  database: CacheDatabase;
  clock: () => number;
  uses: Uses;
  remembered: Remembered;
  misses: Misses;
  accesses: AccessLog;
}

/** Looks entries up. Requests count for the trusted namespace, because overlays come and go. */
export function createReading(
  options: ReadingOptions,
): Pick<Cache, "find" | "findPart" | "findMany" | "countMiss" | "noteMiss"> {
  const { database, clock, uses, remembered, misses, accesses } = options;

  async function look(namespaceId: string, key: string) {
    const known = remembered.get(namespaceId, key);
    if (known) return known;
    const asOf = remembered.asOf();
    const entry = await findEntry(database, namespaceId, key);
    if (entry) remembered.add(entry, asOf);
    return entry;
  }

  async function findIn(grant: Grant, key: string, hits: 0 | 1) {
    for (const namespaceId of grant.reads) {
      const entry = await look(namespaceId, key);
      if (!entry) continue;
      uses.touch(namespaceId, key, entry.usedAt);
      entry.usedAt = Math.max(entry.usedAt, clock());
      const { size: bytes } = entry.blob;
      uses.count(trustedOf(grant), { hits, readBytes: bytes });
      accesses.add(trustedOf(grant), key, { kind: hits ? "get" : "use", bytes });
      return entry;
    }
    return undefined;
  }

  return {
    async find(grant, key) {
      const entry = await findIn(grant, key, 1);
      if (entry) return entry;
      uses.count(trustedOf(grant), { misses: 1 });
      accesses.add(trustedOf(grant), key, { kind: "miss", bytes: 0 });
      misses.note(grant, key, false);
      return undefined;
    },
    findPart: (grant, key) => findIn(grant, key, 0),
    async findMany(grant, keys) {
      const sizes = new Map<string, number>();
      const pause = () => nextTurnOf(grant.organizationId);
      for (const namespaceId of grant.reads) {
        const missing = keys.filter((key) => !sizes.has(key));
        for (const [key, { size, usedAt }] of await findKeys(database, namespaceId, missing, pause)) {
          sizes.set(key, size);
          uses.touch(namespaceId, key, usedAt);
          accesses.add(trustedOf(grant), key, { kind: "use", bytes: size });
        }
      }
      return sizes;
    },
    countMiss(grant, key) {
      for (const namespaceId of grant.reads) remembered.forget(namespaceId, key);
      uses.count(trustedOf(grant), { hits: -1, misses: 1 });
      misses.note(grant, key, true);
    },
    noteMiss: misses.describe,
  };
}
