/**
 * The answers of `/console/api/…`. Times are milliseconds since 1970; a range is `?from=…&to=…` (default: the last 7 days).
 * Every list takes `?format=csv`.
 */
import type { KeptKind } from "../contract/budgets.ts";
import type { ErrorFrame, ForwardingStatus } from "../contract/types.ts";

export interface OverviewReport {
  from: number;
  to: number;
  views: number;
  searches: number;
  searchesWithoutHits: number;
  /** Readers who agreed to analytics. */
  visitors: number;
  searchClicks: number;
  feedback: { yes: number; no: number };
  errors: number;
  recordings: number;
  /** One for each hour of a range up to two days, otherwise for each day; gaps are zeros. */
  series: { at: number; errors: number }[];
  /** One for each day (UTC) that begins in the range: views and searches have no finer time. */
  days: { at: number; views: number; searches: number }[];
  referrers: { host: string; count: number }[];
  browsers: { name: string; count: number }[];
}

/** `GET /console/api/searches?kind=top|no-hits|no-clicks`: words that were searched at least three times. */
export interface SearchReportRow {
  /** Without anything that could identify a person, in lower case. */
  query: string;
  count: number;
  withoutHits: number;
  /** Among readers who agreed to analytics: how often they searched it, and clicked. */
  measured: number;
  clicks: number;
  /** 1 is the first hit; null without clicks. */
  meanPosition: number | null;
  /** The start of the last day (UTC) on which it was searched. */
  lastDay: number;
}

/**
 * `POST /console/api/searches/actions`, from one row of the searches: a change by which the operator improves the search's
 * answers. 400 `{message}` when a path is not a page or a word is empty.
 */
export type SearchAction =
  | { kind: "relevance-test"; query: string; path: string; within: 1 | 3 | 5 }
  /** Words that mean the same, at least two. */
  | { kind: "synonym"; words: string[] }
  | { kind: "redirect"; query: string; path: string }
  /** From now on, an address without a page leads to a page. */
  | { kind: "moved"; from: string; to: string };

/** In development the file has been written; otherwise `patch` is for `git apply`. */
export interface SearchActionResult {
  /** In the repository: `site.config.ts`, `tests/relevance/cache.yaml`. */
  file: string;
  isWritten: boolean;
  /** A unified diff, in both cases. */
  patch: string;
}

/** `POST /console/api/searches/try`: the effect of an action; nothing is written. */
export type SearchTrial =
  | { kind: "lead"; path: string; title: string }
  /** The first ten hits of each, in their order. */
  | { kind: "hits"; query: string; before: TrialHit[]; after: TrialHit[] };

/** What readers who agreed to analytics did after a search; at least three of them. */
export interface NextStep {
  query: string;
  /** The words with which they found the page; null if they opened it without a search. */
  next: string | null;
  path: string;
  readers: number;
}

export interface PastSearches {
  /** All different searches that are stored and may be shown. */
  kept: number;
  /** The most frequent ones, most frequent first. */
  searches: { query: string; count: number }[];
}

/** A change that may answer a search. `evidence` is a sentence. */
export type Proposal =
  | { kind: "synonym"; words: string[]; evidence: string }
  | { kind: "redirect"; query: string; path: string; evidence: string }
  /** There is no page to lead to: the title of one to write. */
  | { kind: "page"; title: string; evidence: string };

/** `GET /console/api/searches/proposals`: searches that found nothing, or whose hits no one opened. */
export interface ProposalRow {
  /** The most frequent spelling. */
  query: string;
  /** Other spellings and orders of the same words, at most five. */
  alike: string[];
  count: number;
  /** The start of the last day (UTC) on which one of them was made. */
  lastDay: number;
  outcome: "nothing" | "unopened";
  /** The best first; at least one. */
  proposals: Proposal[];
}

/** `POST /console/api/searches/effect`: past searches with and without a change; nothing is written. */
export interface SearchEffect {
  /** All different searches that are stored and may be shown. */
  kept: number;
  /** Those that were made again: fewer when there are too many. */
  tried: number;
  /** Searches that find nothing today. */
  emptyBefore: number;
  /** Searches that find nothing today and would find something. */
  found: EffectPart;
  /** Other searches whose first three hits would differ. */
  changed: EffectPart;
}

export interface EffectPart {
  /** Different searches. */
  searches: number;
  /** How often readers made them. */
  times: number;
  /** The most frequent ones, at most 50, each with its first three hits. */
  rows: { query: string; count: number; before: TrialHit[]; after: TrialHit[] }[];
}

export interface TrialHit {
  /** Path and anchor. */
  path: string;
  /** "Cache › Overview › Limits" */
  trail: string;
}

/** `GET /console/api/missing`. */
export interface MissingReportRow {
  /** Empty: requests without a name, because they were not for a page's address, or for one of too many. */
  path: string;
  count: number;
  /** The start of the last day. */
  lastDay: number;
  /** Pages of this site (paths) and other sites (hosts) that led there, most often first, at most 10. */
  from: { name: string; count: number }[];
}

/** `GET /console/api/pages`. */
export interface PageReportRow {
  path: string;
  views: number;
  yes: number;
  no: number;
  /** Newest first, at most 20. */
  comments: { at: number; answer: "yes" | "no"; text: string }[];
  /** How often a reader who agreed to analytics searched from this page. */
  exitsToSearch: number;
}

/** `GET /console/api/errors`. */
export interface ErrorGroupRow {
  fingerprint: string;
  type: string;
  value: string;
  culprit: string;
  platform: "browser" | "server";
  count: number;
  firstAt: number;
  lastAt: number;
  releases: string[];
}

/** `GET /console/api/errors/<fingerprint>`. */
export interface ErrorGroupReport extends ErrorGroupRow {
  frames: ErrorFrame[];
  paths: { path: string; count: number }[];
  browsers: { name: string; count: number }[];
  series: { at: number; count: number }[];
}

/** `GET /console/api/recordings`. */
export interface RecordingRow {
  sessionId: string;
  startedAt: number;
  endedAt: number;
  paths: string[];
  bytes: number;
  searches: number;
  errors: number;
}

/** `GET /console/api/recordings/<sessionId>`: rrweb's events in order, and the other events of the session. */
export interface RecordingReport extends RecordingRow {
  events: unknown[];
  timeline: { at: number; name: string; detail: string }[];
}

/** `GET /console/api/surveys`. */
export interface SurveyReport {
  id: string;
  question: string;
  isActive: boolean;
  shown: number;
  dismissed: number;
  answers: { at: number; path: string | null; answer: string }[];
  counts: { answer: string; count: number }[];
}

/** `GET /console/api/flags`. */
export interface FlagReport {
  key: string;
  description: string;
  isActive: boolean;
  percentage: number;
  /** How often each value was given to readers who agreed to analytics. */
  values: { value: string; count: number }[];
}

export interface KindHealth {
  kind: KeptKind;
  bytes: number;
  /** The part reserved for this kind. It may take more while other kinds leave theirs free. */
  maxBytes: number;
  /** Rows that were deleted because of this limit. */
  evicted: number;
}

/** `GET /console/api/health`; counters since the process started. */
export interface IngestHealth {
  startedAt: number;
  accepted: { [endpoint: string]: number };
  refused: { endpoint: string; reason: string; count: number }[];
  dropped: number;
  /** Rows that wait for the database. */
  queued: number;
  lastError: string | null;
  database: {
    bytes: number;
    maxBytes: number;
    retentionDays: number;
    oldestAt: number | null;
    /** The approximate size of each kind; empty while the database does not answer. */
    kinds: KindHealth[];
  };
  /** One for each configured service. */
  forwarding: ForwardingStatus[];
}
