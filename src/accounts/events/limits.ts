/** Every cap of the stream of events. */
import { DAY_MS } from "../contract/limits.ts";

/** Events are kept for this long. */
export const EVENTS_KEPT_MS = DAY_MS;
/** For one organization after a sweep; older events are removed. */
export const MAX_EVENTS_KEPT = 5_000;
/** A client that was away for longer reloads everything: the events it missed may have been removed. */
export const MAX_AWAY_MS = EVENTS_KEPT_MS - 60 * 60_000;
/** A client that missed more events reloads everything, which costs less. */
export const MAX_MISSED = 500;
/** Another server may have read at most this many numbers further; a larger lead means another database. */
export const MAX_AHEAD = 10_000;
/** A stream without a cursor starts this long ago, because pages are read while it opens. */
export const FRESH_OVERLAP_MS = 30_000;

/** Interval of polls, for events that other servers write. */
export const POLL_MS = 1_000;
/** Minimum interval of polls when this process writes one change after another. */
export const MIN_POLL_MS = 50;
/** Rows per poll; a full poll is followed by another immediately. */
export const MAX_POLLED = 1_000;
/** Numbers taken by writers that have not committed yet. */
export const MAX_GAPS = 1_000;

export const MAX_STREAMS_PER_PERSON = 20;
/** About 10 KB each, and one of the requests that the server answers at the same time. */
export const MAX_STREAMS = 1_000;
/** One organization's share of them. */
export const ORGANIZATION_SHARE = 0.5;
/** A reader for whom more bytes wait when the next events arrive is dropped, and reconnects for them. */
export const MAX_WAITING_BYTES = 256 * 1024;
/** Proxies and the server itself close connections that are silent for longer. */
export const PING_MS = 15_000;
/** Interval of checks whether a reader may still read; with `IDENTITY_AGE_MS` within five seconds. */
export const CHECK_MS = 1_000;

/** For an event's sentence. */
export const MAX_EVENT_TEXT = 300;
/** For the list of latest events. */
export const LATEST_SHOWN = 20;
/** Rows read to find those that a reader may see. */
export const MAX_LATEST_READ = 200;

/** The same refusal is reported once in this time, with its count. */
export const REPORT_AGAIN_MS = 60_000;
/** Different refusals that are counted at the same time. */
export const MAX_REPORTS = 1_000;
/** For one organization in `REPORT_AGAIN_MS`. */
export const MAX_REPORTS_PER_ORGANIZATION = 30;
/** For one address in `REPORT_AGAIN_MS`. */
export const MAX_REPORTS_PER_ADDRESS = 20;
/** Interval of writes of refusal reports. */
export const REPORT_WRITE_MS = 1_000;
