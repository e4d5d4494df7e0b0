/** The entry point of telemetry. Browsers have their own entry point: the files of `browser/`. */
export type { TelemetryConfig } from "./contract/config.ts";
export { DAY_MS, dayOf, startOfDay } from "./contract/days.ts";
export { type Release, telemetryMount, telemetryRoom } from "./open-room.ts";
export { openTelemetry, type Telemetry } from "./open-telemetry.ts";
export { type Range } from "./queries/range.ts";
export type {
  EffectPart,
  ErrorGroupReport,
  ErrorGroupRow,
  FlagReport,
  IngestHealth,
  MissingReportRow,
  NextStep,
  OverviewReport,
  PageReportRow,
  Proposal,
  ProposalRow,
  RecordingReport,
  RecordingRow,
  SearchAction,
  SearchActionResult,
  SearchEffect,
  SearchReportRow,
  SearchTrial,
  SurveyReport,
  TrialHit,
} from "./queries/report-types.ts";
export { SEARCH_KINDS } from "./queries/searches.ts";
export { MIGRATIONS as telemetryMigrations } from "./store/schema.ts";
export type { ErrorFrame } from "./contract/types.ts";
