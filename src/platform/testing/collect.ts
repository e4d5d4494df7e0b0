import type { Collector } from "../blobs/collect.ts";

/**
 * For tests: collects after any collection in progress. A reference removed two seconds ago has woken the collector, and
 * `collect` then returns immediately: on a busy machine a test would check for files that are about to be removed.
 * @returns how many blobs, without those of the earlier collection
 */
export async function collectNow(collector: Collector): Promise<number> {
  for (;;) {
    const count = await collector.collect();
    if (count !== null) return count;
  }
}
