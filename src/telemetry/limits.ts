/** Every cap of the telemetry, in one place. What exceeds one is refused or dropped, and counted. */
export interface TelemetryLimits {
  /** Of one request with events or an error report, as sent and inflated, in bytes. */
  bodyBytes: number;
  inflatedBytes: number;
  /** Of one request with parts of a recording: a page's first snapshot holds all of its elements. */
  snapshotBodyBytes: number;
  snapshotInflatedBytes: number;
  /** Of one request. */
  eventsPerRequest: number;
  /** JSON of one event's properties, in bytes; texts in it longer than `textLength` are cut. */
  propertyBytes: number;
  textLength: number;
  /** From one address in a minute. An office behind one address has hundreds of readers. */
  requestsPerAddress: number;
  eventsPerAddress: number;
  /** From all addresses in a minute. */
  eventsPerMinute: number;
  /** Rows and their bytes that wait for the database; more is dropped. */
  queuedRows: number;
  queuedBytes: number;
  /** Bytes that wait for each service; the oldest make room. */
  outboxBytes: number;
}

export const DEFAULT_LIMITS: TelemetryLimits = {
  bodyBytes: 1_000_000,
  inflatedBytes: 4_000_000,
  snapshotBodyBytes: 4_000_000,
  snapshotInflatedBytes: 20_000_000,
  eventsPerRequest: 1000,
  propertyBytes: 32_000,
  textLength: 4000,
  requestsPerAddress: 1200,
  eventsPerAddress: 6000,
  eventsPerMinute: 300_000,
  queuedRows: 50_000,
  queuedBytes: 64_000_000,
  outboxBytes: 200_000_000,
};
