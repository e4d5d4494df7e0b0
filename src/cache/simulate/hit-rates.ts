/**
 * Estimates the hit rates with other quotas. One key in `SAMPLED_OF` is followed, in caches that are smaller by that factor:
 * Waldspurger, Park, Garthwaite and Ahmad, "Efficient MRC Construction with SHARDS", FAST 2015.
 *
 *   log ─► entry ─► Recency of 25 GB / 8 ─► hits
 *              ├──► Recency of 50 GB / 8 ─► hits
 *              └──► …
 *
 * As the paper says under "SHARDS adj": surplus and missing samples are requests of a few very popular keys, which hit in any
 * cache; the difference is added to the hits.
 *
 * A hit of an entry that is new to the log counts for nothing: the entry was there before the log began.
 */
import { setImmediate } from "node:timers/promises";
import type { HitRates } from "../contract/simulation.ts";
import { SAMPLED_OF, SLICE_MS } from "./limits.ts";
import { type AccessRecord, readRecord, RECORD_BYTES } from "./records.ts";
import { Recency } from "./recency.ts";

export interface LoggedPart {
  /** Requests for an entry, of all keys. */
  requests: number;
  data: Buffer;
}

interface Followed {
  caches: readonly { cache: Recency; bytes: number }[];
  hits: number[];
  entries: Map<number, number>;
  /** Followed requests that can be used, and those that cannot. */
  told: number;
  untold: number;
}

/** @param capacities in bytes, of the whole cache. Lets other requests run every few milliseconds. */
export async function simulateHitRates(
  parts: AsyncIterable<LoggedPart>,
  capacities: readonly number[],
): Promise<HitRates> {
  const followed: Followed = {
    caches: capacities.map((bytes) => ({ bytes, cache: new Recency(bytes / SAMPLED_OF) })),
    hits: capacities.map(() => 0),
    entries: new Map(),
    told: 0,
    untold: 0,
  };
  let requests = 0;
  let end = performance.now() + SLICE_MS;
  for await (const part of parts) {
    requests += part.requests;
    for (let offset = 0; offset + RECORD_BYTES <= part.data.length; offset += RECORD_BYTES) {
      follow(followed, readRecord(part.data, offset));
      if ((offset / RECORD_BYTES) % CHECKED_EVERY !== 0 || performance.now() < end) continue;
      await setImmediate();
      end = performance.now() + SLICE_MS;
    }
  }
  const { told, untold, hits } = followed;
  // In the sample's scale, without the unusable requests on both sides.
  const expected = Math.max(requests / SAMPLED_OF - untold, 0);
  const isKnown = told > 0 && expected > 0;
  const rateOf = (count: number) => Math.min(Math.max((count + expected - told) / expected, 0), 1);
  return {
    rates: isKnown ? capacities.map((bytes, index) => ({ bytes, hitRate: rateOf(hits[index] ?? 0) })) : [],
    requests,
    sampledRequests: told + untold,
  };
}

/** Records between two checks of the clock. */
const CHECKED_EVERY = 64;

function follow(followed: Followed, { key, kind, bytes }: AccessRecord): void {
  const { caches, hits, entries } = followed;
  const known = entries.get(key);
  const entry = known ?? entries.size;
  if (known === undefined) entries.set(key, entry);
  if (kind !== "use") {
    if (kind === "get" && known === undefined) followed.untold += 1;
    else followed.told += 1;
  }
  for (const [index, { cache }] of caches.entries()) {
    const isThere = cache.has(entry);
    if (kind !== "use" && isThere) hits[index] = (hits[index] ?? 0) + 1;
    // After a miss a missing entry is written, and that write is logged.
    if (kind !== "miss") cache.use(entry, bytes);
    else if (isThere) cache.use(entry, cache.sizeOf(entry));
  }
}
