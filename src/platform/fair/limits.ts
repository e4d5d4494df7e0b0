/** All figures of the gate between organizations (decision 057). Times are in milliseconds. */

/** A holder with a request within this time shares the event loop with the others; alone, a holder has all of it. */
export const ACTIVE_MS = 1_000;
/** Share of the event loop's time: of one holder that shares it, and (`WAITING_SHARE`) of all waiting holders together. */
export const MOST_SHARE = 0.5;
/** For a holder that shares it only with strangers: a reader of a page should not cost a busy organization half of it. */
export const SHARE_BESIDE_STRANGERS = 0.8;
export const WAITING_SHARE = 0.7;
/** Time that a light user may use immediately before waiting for its share: a page of the application. */
export const SAVED_MS = 50;
/**
 * Most debt of a holder, divided by the number of waiting holders, like the share. More is forgotten, so that no holder is
 * blocked for longer than twice that, whatever it has requested.
 */
export const MOST_OWED_MS = 1_000;
/** Work that may begin in one turn of the event loop. */
export const TURN_MS = 3;
/** Most waiting requests of a holder, and their longest wait. */
export const MAX_WAITING = 1_000;
export const MAX_WAIT_MS = 10_000;
/**
 * Most waiting requests of all holders, half of the server's concurrent requests: beyond it, the holder with the most, if above
 * an equal part, gives up a place.
 */
export const MAX_ALL_WAITING = 1_024;
/** Most waiting requests of a stranger's network, and (`MAX_LANES`) remembered networks. */
export const MAX_LANE_WAITING = 50;
/** A network counts as having arrived this much later per waiting request, for at most `MAX_LATER` requests: half of the longest wait. */
export const LATER_MS = 500;
export const MAX_LATER = 10;
export const MAX_LANES = 2_000;
/** Time after which half of a network's use is forgotten. */
export const LANE_HALF_MS = 5_000;
/** Seconds after which a refused client is told to retry. */
export const RETRY_SECONDS = 2;
/** Prefix of every holder that is not an organization: next to these, an organization has nearly all of the time. */
export const NO_ORGANIZATION = "~";
/** All unknown callers, together. */
export const STRANGERS = `${NO_ORGANIZATION}strangers`;
/** Strangers who are signing in: the reading and searching of other strangers takes no time from this. */
export const SIGN_IN = `${NO_ORGANIZATION}sign-in`;
/** Work for requests that are refused, or that never wait. Nothing waits for this account, so it delays no one. */
export const REFUSED = `${NO_ORGANIZATION}refused`;
/** How often the busy share of the event loop is measured. */
export const WINDOW_MS = 10;
/** Factor for uploaded bytes: they are also hashed and written. */
export const UPLOADED = 2;
/** Factor for bytes of messages, forms and events: they are also checked and parsed. */
export const PARSED = 4;
/** Most known holders; beyond it, inactive holders are forgotten. */
export const MAX_HOLDERS = 2_000;

/** Assumed cost of work before it is measured, in milliseconds: only the ratios matter. */
export const COSTS = {
  /** A request of the cache or the registry. */
  request: 0.4,
  call: 1,
  search: 1,
  file: 0.3,
  renderedPage: 15,
  /** 1 MB received or sent. */
  megabyte: 1.5,
  /** A thousand fields of a message, including the work for each. */
  thousandFields: 1.5,
} as const;
