/** Every cap of the stream of events. */
import { DAY_MS } from "../limits.ts";

/** Events are kept for this long. */
export const EVENTS_KEPT_MS = DAY_MS;
/** Of one organization after a sweep; older ones are removed. */
export const MAX_EVENTS_KEPT = 5_000;
/** A client that was away for longer reloads everything: what it missed may have been removed. */
export const MAX_AWAY_MS = EVENTS_KEPT_MS - 60 * 60_000;
/** A client that missed more reloads everything, which costs less. */
export const MAX_MISSED = 500;
/** Another server may have read further than this one, by as many numbers at most; more belong to another database. */
export const MAX_AHEAD = 10_000;
/** A stream without a beginning starts this long ago: pages are read while it opens. */
export const FRESH_OVERLAP_MS = 30_000;

/** Between two looks at the table, for what other servers write. */
export const POLL_MS = 1_000;
/** Between two looks when this process writes one change after the other. */
export const MIN_POLL_MS = 50;
/** Rows of one look; a full one is followed by another at once. */
export const MAX_POLLED = 1_000;
/** Numbers that were taken by somebody who has not committed yet. */
export const MAX_GAPS = 1_000;

export const MAX_STREAMS_PER_PERSON = 20;
/** About 10 KB each, and one of the requests that the server answers at the same time. */
export const MAX_STREAMS = 1_000;
/** Of these, for one organization. */
export const ORGANIZATION_SHARE = 0.5;
/** A reader for whom more waits, in bytes, when the next events come is dropped, and comes back for them. */
export const MAX_WAITING_BYTES = 256 * 1024;
/** Proxies and the server itself end connections that are silent for longer. */
export const PING_MS = 15_000;
/** How often a stream asks whether its reader may still read; with `IDENTITY_AGE_MS` within five seconds. */
export const CHECK_MS = 1_000;

/** Of an event's sentence. */
export const MAX_EVENT_TEXT = 300;
/** Of the list of what the server hears. */
export const HEARD_SHOWN = 20;
/** Rows read to find those that somebody may read. */
export const MAX_HEARD_READ = 200;

/** The same refusal is told once in this time, with how often it happened. */
export const HEARD_AGAIN_MS = 60_000;
/** Different refusals that are counted at the same time. */
export const MAX_HEARD = 1_000;
/** Of one organization in `HEARD_AGAIN_MS`. */
export const MAX_HEARD_PER_ORGANIZATION = 30;
/** Of one address in `HEARD_AGAIN_MS`. */
export const MAX_HEARD_PER_ADDRESS = 20;
/** Between two writes of what was heard. */
export const HEARD_WRITE_MS = 1_000;
