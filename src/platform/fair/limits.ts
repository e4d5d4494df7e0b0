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
/** What somebody may owe: more is forgotten, so that nobody is shut out for longer than three times that. */
export const MOST_OWED_MS = 1_000;
/** Work that is begun in one turn of the event loop. */
export const TURN_MS = 3;
/** Requests of one holder that wait, and how long one waits. */
export const MAX_WAITING = 1_000;
export const MAX_WAIT_MS = 10_000;
/** What somebody who was sent away is told to wait, in seconds. */
export const RETRY_SECONDS = 2;
/** All of those who are not known, together. */
export const STRANGERS = "strangers";
/** How often it is measured how much of the time the event loop was busy. */
export const WINDOW_MS = 10;
/** Bytes that come count so many times: they are also hashed and written. */
export const UPLOADED = 2;
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
