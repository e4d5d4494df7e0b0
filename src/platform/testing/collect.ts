import type { Collector } from "../blobs/collect.ts";

/**
 * For tests: collects, after what is collecting already. A reference that went two seconds ago has woken the collector, and
 * `collect` by itself then does nothing: on a busy machine a test would look for files that are about to go.
 * @returns how many blobs; what was collected just before is not among them
 */
export async function collectNow(collector: Collector): Promise<number> {
  for (;;) {
    const count = await collector.collect();
    if (count !== null) return count;
  }
}
