/**
 * Limits of what readers and SDKs may send, and of what is stored. Anything beyond a cap is refused or dropped, and counted.
 * A cap that only one file uses is at the head of that file.
 */
export interface TelemetryLimits {
  /** Per request with events or an error report, as sent and inflated. */
  bodyBytes: number;
  inflatedBytes: number;
  /** Per request with parts of a recording. A page's first snapshot has all its elements. */
  snapshotBodyBytes: number;
  /** The inflated request together with everything that is compressed inside it. */
  snapshotInflatedBytes: number;
  /**
   * Nesting of lists and objects, and the strings, commas, lists and objects of one request, counted before it
   * is parsed (`check-json.ts`). SDKs nest about a dozen deep and send a few thousand.
   */
  jsonDepth: number;
  jsonTokens: number;
  /** The same for recordings, in which each element of the page adds two levels. */
  snapshotDepth: number;
  snapshotTokens: number;
  /** Per request. */
  eventsPerRequest: number;
  /** Error reports per envelope; SDKs send one. */
  errorsPerEnvelope: number;
  /** JSON of one event's properties; texts longer than `textLength` are cut. */
  propertyBytes: number;
  textLength: number;
  /** From one address in a minute. An office behind one address has hundreds of readers. */
  requestsPerAddress: number;
  eventsPerAddress: number;
  /** Inflated bytes from one address in a minute. A hundred recorded readers send a tenth of this. */
  bytesPerAddress: number;
  /** Share of each kind's part of the database (`budgets.ts`), for one address in a burst. */
  sharePerAddress: number;
  /** The same for all addresses, in a burst and per day. */
  sharePerDay: number;
  /** From all addresses in a minute. */
  eventsPerMinute: number;
  /** How many bodies are inflated and read at the same time. */
  bodiesAtOnce: number;
  /** The same for recordings, which are large and must not delay the rest. */
  snapshotsAtOnce: number;
  waitingBodyBytes: number;
  /** Rows and their bytes that wait for the database; more are refused with 503. */
  queuedRows: number;
  queuedBytes: number;
  /** Bytes that wait for each service; the oldest copies make room, recordings first. */
  outboxBytes: number;
}

export const DEFAULT_LIMITS: TelemetryLimits = {
  bodyBytes: 1_000_000,
  inflatedBytes: 4_000_000,
  snapshotBodyBytes: 4_000_000,
  snapshotInflatedBytes: 8_000_000,
  jsonDepth: 100,
  jsonTokens: 60_000,
  snapshotDepth: 2000,
  snapshotTokens: 600_000,
  eventsPerRequest: 1000,
  errorsPerEnvelope: 10,
  propertyBytes: 32_000,
  textLength: 4000,
  requestsPerAddress: 1200,
  eventsPerAddress: 6000,
  bytesPerAddress: 200_000_000,
  // 37 MB of recordings are those of 120 visits of eight pages, 15 MB of events are those of 1,300.
  sharePerAddress: 1 / 32,
  sharePerDay: 1 / 4,
  eventsPerMinute: 300_000,
  bodiesAtOnce: 2,
  snapshotsAtOnce: 1,
  waitingBodyBytes: 32_000_000,
  queuedRows: 50_000,
  queuedBytes: 64_000_000,
  outboxBytes: 200_000_000,
};
