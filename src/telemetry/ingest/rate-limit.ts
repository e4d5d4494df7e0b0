/** More keys than this in one minute are a flood of addresses: the new ones share one count. */
const maxKeys = 20_000;
const overflow = "\0";

export interface RateLimit {
  /** Takes `count` from the key's minute. @returns false when there is not enough left. */
  take: (key: string, count: number) => boolean;
}

/** Counts by key in fixed minutes, in memory; a new minute forgets all. */
export function createRateLimit({ perMinute, clock }: { perMinute: number; clock: () => number }): RateLimit {
  const counts = new Map<string, number>();
  let minute = 0;
  return {
    take(key, count) {
      const current = Math.floor(clock() / 60_000);
      if (current !== minute) {
        counts.clear();
        minute = current;
      }
      const name = counts.has(key) || counts.size < maxKeys ? key : overflow;
      const taken = counts.get(name) ?? 0;
      if (taken + count > perMinute) return false;
      counts.set(name, taken + count);
      return true;
    },
  };
}
