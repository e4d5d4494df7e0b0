/**
 * Limits a client's requests: each key has a bucket that holds `burst` and fills by `perMinute` a minute. Memory is bounded: a
 * full bucket carries no information and is forgotten; so is the least recently used one when there are too many. Keys that
 * anyone can have by the thousand need a limit around them (`network-limit.ts`).
 */
export interface RateLimitOptions {
  perMinute: number;
  /** Requests at a time. Default: a minute's worth. */
  burst?: number;
  clock?: () => number;
  /** Keys in memory. */
  maxKeys?: number;
}

export interface RateLimit {
  /**
   * Takes `count` from a key's bucket, all or nothing.
   * @returns 0 when there was enough, else the seconds until there will be (for `Retry-After`).
   */
  take: (key: string, count?: number) => number;
  /** Takes past use, below zero if necessary: the key also waits until that has been refilled. */
  spend: (key: string, count: number) => void;
  /** The result of `take`, without taking: for limits that count only mistakes. */
  wait: (key: string, count?: number) => number;
  /** How many could be taken now. */
  left: (key: string) => number;
  /** Number of keys remembered. */
  readonly size: number;
}

const DEFAULT_MAX_KEYS = 20_000;

interface Bucket {
  tokens: number;
  at: number;
}

export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { perMinute, burst = perMinute, clock = Date.now, maxKeys = DEFAULT_MAX_KEYS } = options;
  const perMillisecond = perMinute / 60_000;
  /** In order of last use. */
  const buckets = new Map<string, Bucket>();

  function forgetFull(now: number): void {
    for (const [key, bucket] of buckets) {
      if (refill(bucket, now) < burst) return;
      buckets.delete(key);
    }
  }

  function refill(bucket: Bucket, now: number): number {
    // A clock that was set back refills nothing, and need not catch up.
    bucket.at = Math.min(bucket.at, now);
    return Math.min(burst, bucket.tokens + (now - bucket.at) * perMillisecond);
  }

  function bucketOf(key: string) {
    const now = clock();
    forgetFull(now);
    const former = buckets.get(key);
    return { now, tokens: former ? refill(former, now) : burst };
  }

  function keep(key: string, bucket: Bucket): void {
    // Re-inserted: a Map keeps the order of insertion.
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > maxKeys) buckets.delete(buckets.keys().next().value!);
  }

  // Sums of fractions fall short of whole numbers by less than this.
  const isEnough = (tokens: number, count: number) => tokens + 1e-6 >= count;
  const secondsUntil = (tokens: number, count: number): number =>
    isEnough(tokens, count)
      ? 0
      : Math.max(1, Math.ceil((Math.min(count, burst) - tokens) / perMillisecond / 1000));

  return {
    take(key, count = 1) {
      const { now, tokens } = bucketOf(key);
      const left = isEnough(tokens, count) ? Math.max(0, tokens - count) : tokens;
      keep(key, { tokens: left, at: now });
      return secondsUntil(tokens, count);
    },
    spend(key, count) {
      const { now, tokens } = bucketOf(key);
      keep(key, { tokens: tokens - count, at: now });
    },
    wait: (key, count = 1) => secondsUntil(bucketOf(key).tokens, count),
    left: (key) => Math.floor(bucketOf(key).tokens + 1e-6),
    get size() {
      return buckets.size;
    },
  };
}
