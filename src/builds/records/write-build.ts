/** Writes the progress of a running build to its records. */
import type { Transaction } from "kysely";
import { inTransaction } from "#platform/database/database.ts";
import type { BuildParts } from "../contract/parts.ts";
import type { BuildTables } from "../tables/schema.ts";
import { packLines } from "./log-blocks.ts";
import { readDetails } from "./read-build.ts";
import type { Progress } from "./recorder.ts";
import type { RecordedStep } from "./steps.ts";

type Parts = Pick<BuildParts, "database" | "changes">;
/** PostgreSQL accepts 65,535 values in one statement. */
const ROWS_AT_ONCE = 200;

export async function writeProgress(
  { database, changes }: Parts,
  buildId: string,
  { steps, totals, lines, warnings }: Progress,
): Promise<void> {
  const blocks = packLines(lines);
  await inTransaction(database, async (transaction) => {
    const row = await transaction
      .selectFrom("builds")
      .select(["revision", "details"])
      .where("id", "=", buildId)
      .executeTakeFirst();
    if (!row) return;
    const revision = row.revision + 1;
    for (let at = 0; at < steps.length; at += ROWS_AT_ONCE)
      await writeSteps(transaction, { buildId, revision, steps: steps.slice(at, at + ROWS_AT_ONCE) });
    for (const { firstLine, lastLine, data } of blocks)
      await transaction
        .insertInto("build_log")
        .values({ build_id: buildId, first_line: firstLine, last_line: lastLine, data })
        .execute();
    await transaction
      .updateTable("builds")
      .set({
        revision,
        steps_total: totals.stepsTotal,
        steps_cached: totals.stepsCached,
        steps_done: totals.stepsDone,
        saved_ms: totals.savedMs,
        log_lines: totals.logLines,
        details: JSON.stringify({ ...readDetails(row), warnings }),
      })
      .where("id", "=", buildId)
      .execute();
  });
  changes.notify(buildId);
}

async function writeSteps(
  transaction: Transaction<BuildTables>,
  { buildId, revision, steps }: { buildId: string; revision: number; steps: readonly RecordedStep[] },
): Promise<void> {
  const rows = steps.map((step) => ({
    build_id: buildId,
    platform: step.platform,
    id: step.id,
    position: step.position,
    number: step.number,
    name: step.name,
    state: step.state,
    cached: step.cached ? (1 as const) : (0 as const),
    started_at: step.startedAt,
    finished_at: step.finishedAt,
    duration_ms: step.durationMs,
    saved_ms: step.savedMs,
    error: step.error,
    exit_code: step.exitCode,
    log_lines: step.logLines,
    inputs: JSON.stringify(step.inputs),
    revision,
  }));
  await transaction
    .insertInto("build_steps")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["build_id", "platform", "id"]).doUpdateSet((row) => ({
        number: row.ref("excluded.number"),
        state: row.ref("excluded.state"),
        cached: row.ref("excluded.cached"),
        started_at: row.ref("excluded.started_at"),
        finished_at: row.ref("excluded.finished_at"),
        duration_ms: row.ref("excluded.duration_ms"),
        saved_ms: row.ref("excluded.saved_ms"),
        error: row.ref("excluded.error"),
        exit_code: row.ref("excluded.exit_code"),
        log_lines: row.ref("excluded.log_lines"),
        revision: row.ref("excluded.revision"),
      })),
    )
    .execute();
}

/** The duration of the last run of each of a project's steps. */
export async function readDurations({ database }: Parts, projectId: string): Promise<Map<string, number>> {
  const rows = await database.db
    .selectFrom("build_durations")
    .select(["step_key", "duration_ms"])
    .where("project_id", "=", projectId)
    .orderBy("measured_at", "desc")
    .limit(MAX_DURATIONS)
    .execute();
  return new Map(rows.map((row) => [row.step_key, row.duration_ms]));
}

const MAX_DURATIONS = 10_000;

/** Only for steps that succeeded. */
export async function writeDurations(
  { database }: Parts,
  { projectId, steps, now }: { projectId: string; steps: readonly RecordedStep[]; now: number },
): Promise<void> {
  const measured = new Map<string, number>();
  for (const { isInstruction, state, cached, key, durationMs } of steps)
    if (isInstruction && state === "succeeded" && !cached) measured.set(key, durationMs);
  const rows = [...measured].map(([key, ms]) => ({
    project_id: projectId,
    step_key: key,
    duration_ms: ms,
    measured_at: now,
  }));
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
    await database.db
      .insertInto("build_durations")
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .onConflict((conflict) =>
        conflict.columns(["project_id", "step_key"]).doUpdateSet((row) => ({
          duration_ms: row.ref("excluded.duration_ms"),
          measured_at: row.ref("excluded.measured_at"),
        })),
      )
      .execute();
}
