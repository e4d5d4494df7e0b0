import type { Metrics } from "#platform/metrics/metrics.ts";
import type { Intake } from "./ingest/intake.ts";
import type { TelemetryStore } from "./thread/telemetry-store.ts";

/** The metrics of this room: how much arrives, how much is not accepted, and whether the database keeps up. */
export function registerTelemetryMetrics(
  metrics: Metrics,
  { intake, store }: { intake: Pick<Intake, "health">; store: Pick<TelemetryStore, "status"> },
): void {
  metrics.gauge("telemetry_queued_rows", "Rows waiting for the database.", () => store.status().queued);
  metrics.total({
    name: "telemetry_rows_total",
    help: "Batches written, and rows that could not be written.",
    label: "outcome",
    read: () => [
      ["batches", store.status().batches],
      ["dropped", store.status().dropped],
    ],
  });
  metrics.total({
    name: "telemetry_accepted_total",
    help: "Events, reports and answers accepted, by address.",
    label: "endpoint",
    read: () => Object.entries(intake.health().accepted),
  });
  metrics.total({
    name: "telemetry_refused_total",
    help: "Rejected requests, by reason.",
    label: "reason",
    read: () => intake.health().refused.map(({ reason, count }) => [reason, count] as const),
  });
}
