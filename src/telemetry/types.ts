/** One event of a reader who agreed, as it is kept. */
export interface EventRow {
  /** The SDK's own id; a second event with the same one is not stored. */
  uuid: string;
  /** Milliseconds since 1970, the server's clock unless the SDK's is within a day of it. */
  at: number;
  /** `$pageview`, `search`, `search_click`, `copy`, `feedback`, `cta`, `survey sent`, `$feature_flag_called`, … */
  name: string;
  source: "posthog" | "insights";
  /** What the SDK calls the reader: random, made in the browser. */
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

/** A snapshot row with what SQL needs besides: the SDK's id, and the times of the first and the last event. */
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
  /** Of the built file, where the SDK knew it. */
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
  /** The source's lines around, and which of them failed (0-based); null when no source map knows the frame. */
  context: { lines: string[]; at: number; firstLine: number } | null;
}

/** What the server saw of a page request; nothing about who asked. Kept as one more of its path, referrer and browser. */
export interface ViewRow {
  /** Of UTC, since 1970. */
  day: number;
  path: string;
  /** The referring site's host, empty when it is only counted, null when it was this site or none. */
  referrer: string | null;
  /** `Chrome`, `Firefox`, `Safari`, `curl`, `bot`, `other`. */
  browser: string;
}

/** An address without a page; kept as one more of its kind. */
export interface MissingRow {
  day: number;
  /** Empty when it is only counted. */
  path: string;
  /** A path of this site, another site's host, or empty. */
  from: string;
}

/** A search as it was when the reader stopped typing, without what could identify them; kept as one more of its words. */
export interface SearchRow {
  day: number;
  /** Empty when nothing of them may be kept. */
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

/** How forwarding to one service goes; counters since the process started. */
export interface ForwardingStatus {
  service: OutboxRow["service"];
  waiting: number;
  sent: number;
  failed: number;
  lastError: string | null;
}
