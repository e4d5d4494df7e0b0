/** The hit rates that a cache with other quotas would have. */

interface HitRate {
  bytes: number;
  /** 0 to 1. */
  hitRate: number;
}

export interface HitRates {
  /** Empty when no request can be used. */
  rates: readonly HitRate[];
  /** Requests for an entry, of all keys. */
  requests: number;
  /** The followed ones among them. */
  sampledRequests: number;
}

export interface Simulation extends HitRates {
  /** One in this many keys was followed. */
  sampledOf: number;
  /** The oldest request in the log; null: there is none. */
  since: number | null;
  quotaBytes: number;
}
