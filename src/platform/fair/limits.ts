/** Every figure of the gate between organizations (decision 057). Times are milliseconds. */

/** A holder that has asked for something this lately shares the event loop with the others; alone, one has all of it. */
export const ACTIVE_MS = 1_000;
/** Of the event loop's time, for one holder that shares it, and for all of those together where several wait. */
export const MOST_SHARE = 0.5;
/** For one that shares it with strangers only: somebody who reads a page should not cost a busy organization half of it. */
export const SHARE_BESIDE_STRANGERS = 0.8;
export const WAITING_SHARE = 0.7;
/** What somebody who has asked for little may use at once before it waits for its share: a page of the application. */
export const SAVED_MS = 50;
/**
 * What somebody may owe, divided by how many wait, as the share is: more is forgotten, so that nobody is shut out for longer
 * than twice that, whatever one has asked for.
 */
export const MOST_OWED_MS = 1_000;
/** Work that is begun in one turn of the event loop. */
export const TURN_MS = 3;
/** Requests of one holder that wait, and how long one waits. */
export const MAX_WAITING = 1_000;
export const MAX_WAIT_MS = 10_000;
/** Of all holders together, half of the requests that the server has at once: then whoever has most, and more than an equal part, gives up a place. */
export const MAX_ALL_WAITING = 1_024;
/** Of strangers in one network, and networks that are remembered. */
export const MAX_LANE_WAITING = 50;
/** By so much later, for each request that waits of it and for so many at most, a network counts as come: half of what one waits. */
export const LATER_MS = 500;
export const MAX_LATER = 10;
export const MAX_LANES = 2_000;
/** In this time half of what a network has used is forgotten. */
export const LANE_HALF_MS = 5_000;
/** What somebody who was sent away is told to wait, in seconds. */
export const RETRY_SECONDS = 2;
/** Begins the name of every holder that is no organization: beside them, an organization has nearly all of the time. */
export const NO_ORGANIZATION = "~";
/** All of those who are not known, together. */
export const STRANGERS = `${NO_ORGANIZATION}strangers`;
/** Those of them who sign in: what strangers read and search for takes no time from this. */
export const SIGN_IN = `${NO_ORGANIZATION}sign-in`;
/** What was done for requests only to refuse them, or that never wait. Nothing waits for this account, so that it keeps nobody from anything. */
export const REFUSED = `${NO_ORGANIZATION}refused`;
/** How often it is measured how much of the time the event loop was busy. */
export const WINDOW_MS = 10;
/** Bytes that come count so many times: they are also hashed and written. */
export const UPLOADED = 2;
/** Bytes that come as messages, forms and events count so many times: they are also checked and parsed. */
export const PARSED = 4;
/** Holders that are known at once, before those that have asked for nothing for a while are forgotten. */
export const MAX_HOLDERS = 2_000;

/** What work is taken to cost before it is measured, in milliseconds: only the ratios matter. */
export const COSTS = {
  /** A request of the cache or the registry. */
  request: 0.4,
  call: 1,
  search: 1,
  file: 0.3,
  renderedPage: 15,
  /** 1 MB that comes or goes. */
  megabyte: 1.5,
  /** A thousand fields of a message, with what is done for each of them. */
  thousandFields: 1.5,
} as const;
