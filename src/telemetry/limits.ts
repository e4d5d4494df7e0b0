/** Every cap of the telemetry, in one place. What exceeds one is refused or dropped, and counted. */
export interface TelemetryLimits {
  /** Of one request with events or an error report, as sent and inflated, in bytes. */
  bodyBytes: number;
  inflatedBytes: number;
  /** Of one request with parts of a recording: a page's first snapshot holds all of its elements. */
  snapshotBodyBytes: number;
  /** The request as inflated and everything that is compressed in it once more, together. */
  snapshotInflatedBytes: number;
  /**
   * Lists and objects inside one another, and the strings, commas, lists and objects of one request, counted before it
   * is parsed (`check-json.ts`). The SDKs nest a dozen deep and send some thousand.
   */
  jsonDepth: number;
  jsonTokens: number;
  /** The same for parts of a recording, where each element of the page nests twice. */
  snapshotDepth: number;
  snapshotTokens: number;
  /** Of one request. */
  eventsPerRequest: number;
  /** Error reports of one envelope; SDKs send one. */
  errorsPerEnvelope: number;
  /** JSON of one event's properties, in bytes; texts in it longer than `textLength` are cut. */
  propertyBytes: number;
  textLength: number;
  /** From one address in a minute. An office behind one address has hundreds of readers. */
  requestsPerAddress: number;
  eventsPerAddress: number;
  /** Inflated bytes from one address in a minute: a hundred readers who are recorded send a tenth of it. */
  bytesPerAddress: number;
  /** From all addresses in a minute. */
  eventsPerMinute: number;
  /** Bodies that are inflated and read at once, and the bytes (as sent) of those that wait for their turn. */
  bodiesAtOnce: number;
  /** The same for parts of recordings, which are large and must not hold up the rest. */
  snapshotsAtOnce: number;
  waitingBodyBytes: number;
  /** Rows and their bytes that wait for the database; more is refused with 503. */
  queuedRows: number;
  queuedBytes: number;
  /** Bytes that wait for each service; the oldest make room. */
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
  eventsPerMinute: 300_000,
  bodiesAtOnce: 2,
  snapshotsAtOnce: 1,
  waitingBodyBytes: 32_000_000,
  queuedRows: 50_000,
  queuedBytes: 64_000_000,
  outboxBytes: 200_000_000,
};
