/** The requests to the database's thread, by name. */
import type { DatabaseSync } from "node:sqlite";
import type { IngestHealth } from "../queries/report-types.ts";
import { readError, readErrors } from "../queries/errors.ts";
import { readFlagValues, readSurveyAnswers } from "../queries/flags-and-surveys.ts";
import { readMissing } from "../queries/missing.ts";
import { readOverview } from "../queries/overview.ts";
import { readPages } from "../queries/pages.ts";
import { readNextSteps, readPastSearches } from "../queries/past-searches.ts";
import { readRecording, readRecordings } from "../queries/recordings.ts";
import { readSearches } from "../queries/searches.ts";
import { eraseReader, exportReader } from "../queries/your-data.ts";
import { budgetOf, type KeptKind } from "../contract/budgets.ts";
import { keptByKind, oldestRowAt, type Retention, usedBytes } from "../store/retention.ts";

export interface RequestContext {
  retention: Retention;
  forwarding: () => IngestHealth["forwarding"];
  /** Drops data that these readers send in the next minute. */
  forget: (ids: readonly string[]) => void;
  /** Rows of a kind that were deleted because there was too much. */
  evicted: (kind: KeptKind) => number;
}

export const requests = {
  overview: readOverview,
  searches: readSearches,
  pastSearches: (db: DatabaseSync, _params: Record<string, never>) => readPastSearches(db),
  nextSteps: readNextSteps,
  pages: readPages,
  missing: readMissing,
  errors: readErrors,
  error: readError,
  recordings: readRecordings,
  recording: readRecording,
  flagValues: readFlagValues,
  surveyAnswers: readSurveyAnswers,
  exportReader,
  eraseReader: (db: DatabaseSync, params: { ids: readonly string[] }, context: RequestContext) => {
    context.forget(params.ids);
    return eraseReader(db, params);
  },
  health: (
    db: DatabaseSync,
    _params: Record<string, never>,
    { retention, forwarding, evicted }: RequestContext,
  ): Pick<IngestHealth, "database" | "forwarding"> => ({
    database: {
      bytes: usedBytes(db),
      maxBytes: retention.maxBytes,
      retentionDays: retention.retentionDays,
      oldestAt: oldestRowAt(db),
      kinds: keptByKind(db).map(({ kind, bytes }) => ({
        kind,
        bytes,
        maxBytes: budgetOf(kind, retention.maxBytes),
        evicted: evicted(kind),
      })),
    },
    forwarding: forwarding(),
  }),
};

export type RequestName = keyof typeof requests;
export type RequestParams<Name extends RequestName> = Parameters<(typeof requests)[Name]>[1];
export type RequestResult<Name extends RequestName> = ReturnType<(typeof requests)[Name]>;
