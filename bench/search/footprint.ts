/** This process's memory after a garbage collection (`--expose-gc`). */
export interface Footprint {
  /** Heap and the typed arrays outside it; about 18 MB are Node's own. */
  heapBytes: number;
  /** Resident memory. */
  residentBytes: number;
  /** Time to open a stored index; null if there is none. */
  openMs: number | null;
}

export function footprint(): Footprint {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heapBytes: heapUsed + external, residentBytes: rss, openMs: null };
}
