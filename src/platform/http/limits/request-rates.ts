/** How many requests of each kind one client may send. */

/**
 * Requests of a known caller, or of one stranger: an IPv4 address or a 64-bit IPv6 network, with more for the networks around it.
 * `RATE_LIMIT_FACTOR` multiplies both figures.
 */
export interface RequestRate {
  perMinute: number;
  /** Requests at a time. */
  burst: number;
}

/**
 * Searches per minute and at a time. A typing reader sends one search per pause of 100 ms, about 20 for a question; 500 people
 * behind one address who each ask a question every quarter of an hour send 700 a minute. 3,000 cost 1.5 % of a core.
 */
export const SEARCH_RATE: RequestRate = { perMinute: 3000, burst: 1500 };

/**
 * Pages rendered on request (results without JavaScript, a reload with `?q=`) and addresses without a page.
 * If a tenth of that office reloads a results page each minute, that is 50. A crawler that follows dead links reaches the limit
 * at 10 a second. 600 cost 20 % of a core.
 */
export const PAGE_RATE: RequestRate = { perMinute: 600, burst: 300 };

/**
 * Calls of the API and steps of a sign-in, from people and CI jobs alike. A call takes about 1 ms of CPU time; 500 jobs behind
 * one address that each make ten a minute come to 5,000. 6,000 cost 10 % of a core.
 */
export const CALL_RATE: RequestRate = { perMinute: 6000, burst: 3000 };

/**
 * Questions that a model answers. Each takes a model's time, which costs money or a graphics card: readers who ask one after the
 * other and read the answers stay below 5 a minute.
 */
export const ANSWER_RATE: RequestRate = { perMinute: 20, burst: 10 };
