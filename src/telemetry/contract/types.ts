/** One event of a reader who agreed, as stored. */
export interface EventRow {
  /** The SDK's own id; a second event with the same id is not stored. */
  uuid: string;
  /** Milliseconds since 1970, the server's clock unless the SDK's is within a day of it. */
  at: number;
  /** `$pageview`, `search`, `search_click`, `copy`, `feedback`, `cta`, `survey sent`, `$feature_flag_called`, … */
  name: string;
  source: "posthog" | "insights";
  /** The SDK's id of the reader: random, made in the browser. */
  distinctId: string;
  sessionId: string | null;
  windowId: string | null;
  /** The page's path, without query. */
  path: string | null;
  /** JSON of the rest, at most 32 KB; no address, no full user agent. */
  properties: string;
}

/** A part of a session recording. */
export interface SnapshotRow {
  at: number;
  sessionId: string;
  windowId: string;
  distinctId: string;
  path: string | null;
  /** Gzipped JSON: an array of rrweb events with decompressed contents. */
  events: Uint8Array;
}

/** A snapshot row with additional fields for SQL: the SDK's id, and the times of the first and the last event. */
export type StoredSnapshot = SnapshotRow & { uuid: string; startedAt: number; endedAt: number };

/** An error as Sentry's SDK sent it, cleaned. Its frames are not mapped to the source yet. */
export interface ErrorReport {
  eventId: string;
  at: number;
  platform: "browser" | "server";
  type: string;
  value: string;
  release: string | null;
  environment: string | null;
  path: string | null;
  browser: string | null;
  /** Innermost first. */
  frames: RawFrame[];
}

export interface RawFrame {
  /** As sent: an address of this site, a path, or `<anonymous>`. */
  file: string;
  line: number | null;
  column: number | null;
  function: string | null;
  isInApp: boolean;
  /** The built file's debug id, if the SDK knew it. */
  debugId: string | null;
}

/** One error report, with its frames already mapped to the source. */
export interface ErrorRow {
  eventId: string;
  at: number;
  platform: "browser" | "server";
  /** Equal for occurrences of the same error. */
  fingerprint: string;
  type: string;
  value: string;
  /** `src/site/docs/search/search-client.ts in sendSearch`. */
  culprit: string;
  release: string | null;
  environment: string | null;
  path: string | null;
  browser: string | null;
  /** JSON of `ErrorFrame[]`, innermost first. */
  frames: string;
}

export interface ErrorFrame {
  file: string;
  line: number | null;
  column: number | null;
  function: string | null;
  isInApp: boolean;
  /** The source's surrounding lines, and which of them failed (0-based); null when no source map knows the frame. */
  context: { lines: string[]; at: number; firstLine: number } | null;
}

/** A page request as the server saw it, with nothing about the reader. It adds one to the counts of its path, referrer and browser. */
export interface ViewRow {
  /** In UTC, since 1970. */
  day: number;
  path: string;
  /** The referring site's host, empty when it is only counted, null for this site or no referrer. */
  referrer: string | null;
  /** `Chrome`, `Firefox`, `Safari`, `curl`, `bot`, `other`. */
  browser: string;
}

/** An address without a page; it adds one to the count of its kind. */
export interface MissingRow {
  day: number;
  /** Empty when it is only counted. */
  path: string;
  /** A path of this site, another site's host, or empty. */
  from: string;
}

/** A search at the time when the reader stopped typing, without identifying data; it adds one to the count of its words. */
export interface SearchRow {
  day: number;
  /** Empty when none of them may be stored. */
  words: string;
  isFound: boolean;
}

export interface FeedbackRow {
  at: number;
  path: string;
  answer: "yes" | "no";
  text: string;
}

/** A copy that waits to be sent to a service. */
export interface OutboxRow {
  service: "posthog" | "sentry" | "algolia";
  kind: "event" | "snapshot" | "error" | "click";
  at: number;
  distinctId: string | null;
  body: Uint8Array;
}

/** The state of forwarding to one service; counters since the process started. */
export interface ForwardingStatus {
  service: OutboxRow["service"];
  waiting: number;
  sent: number;
  failed: number;
  lastError: string | null;
}
