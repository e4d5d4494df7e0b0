/** Analyzes a build at its end: its critical path, what became slower, and how often its failed step had failed before. */
import { askDatabase } from "#accounts/index.ts";
import type { BuildDetails } from "../contract/builds.ts";
import { findPath } from "../explain/find-path.ts";
import { COMPARED_BUILDS, findRegression, type TimedBuild } from "../explain/find-regression.ts";
import type { BuildParts } from "../contract/parts.ts";
import type { BuildState } from "../tables/schema.ts";
import { toRecord } from "./explain-step.ts";
import { readFailuresBefore } from "./failures-before.ts";
import type { BuildRow } from "./read-build.ts";
import { readStepName, stepKey } from "./step-names.ts";
import type { RecordedStep } from "./steps.ts";

type Parts = Pick<BuildParts, "database" | "clock">;
interface Ended {
  state: BuildState;
  steps: readonly RecordedStep[];
}

export async function analyzeBuild(
  { database, clock }: Parts,
  row: BuildRow,
  { state, steps }: Ended,
): Promise<Pick<BuildDetails, "criticalPath" | "regression" | "failure">> {
  const now = clock();
  return {
    criticalPath: findPath(steps.map(toRecord), now),
    regression: state === "succeeded" ? await readRegression({ database, row, steps, now }) : null,
    failure: state === "failed" ? await askDatabase(() => readFailuresBefore(database, row, steps)) : null,
  };
}

async function readRegression({
  database,
  row,
  steps,
  now,
}: Pick<Parts, "database"> & Pick<Ended, "steps"> & { row: BuildRow; now: number }): Promise<
  BuildDetails["regression"]
> {
  const { current, earlier } = await askDatabase(() => readTimes(database, row, steps));
  const durationMs = now - (current.started_at ?? now);
  const build = { commitSha: current.commit_sha, durationMs, steps: timesOf(steps) };
  const found = findRegression(build, earlier);
  const step = steps.find(({ key, cached }) => key === found?.step && !cached);
  if (!found || !step) return null;
  const { percent, comparedBuilds, sinceCommit } = found;
  return { percent, comparedBuilds, sinceCommit, stepId: step.id, stepName: step.name };
}

/** Times of instructions that succeeded, by a key that is the same in all builds. */
function timesOf(
  steps: readonly Pick<RecordedStep, "platform" | "name" | "state" | "cached" | "durationMs">[],
) {
  const ran = steps.filter(
    ({ name, state, cached }) => state === "succeeded" && !cached && readStepName(name).isInstruction,
  );
  return new Map(ran.map(({ platform, name, durationMs }) => [stepKey(platform, name), durationMs]));
}

async function readTimes({ db }: Parts["database"], { id }: BuildRow, steps: readonly RecordedStep[]) {
  // Target, commit and platforms are only known once a client has sent the first solve.
  const current = await db.selectFrom("builds").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const builds = await db
    .selectFrom("builds")
    .select(["id", "commit_sha", "duration_ms"])
    .where("project_id", "=", current.project_id)
    .where("target", "=", current.target)
    .where("platforms", "=", current.platforms)
    .where("state", "=", "succeeded")
    .where("id", "!=", id)
    .orderBy("created_at", "desc")
    .limit(COMPARED_BUILDS)
    .execute();
  const ids = builds.map((build) => build.id);
  const names = [...new Set(steps.filter(({ cached }) => !cached).map(({ name }) => name))].slice(
    0,
    MAX_NAMES,
  );
  const rows =
    ids.length === 0 || names.length === 0
      ? []
      : await db
          .selectFrom("build_steps")
          .select(["build_id", "platform", "name", "state", "cached", "duration_ms as durationMs"])
          .where("build_id", "in", ids)
          .where("name", "in", names)
          .where("state", "=", "succeeded")
          .where("cached", "=", 0)
          .execute();
  const byBuild = Map.groupBy(rows, (step) => step.build_id);
  const earlier = builds.map((build): TimedBuild => ({
    commitSha: build.commit_sha,
    durationMs: build.duration_ms,
    steps: timesOf((byBuild.get(build.id) ?? []).map((step) => ({ ...step, cached: step.cached === 1 }))),
  }));
  return { current, earlier };
}

/** Steps to compare: both databases limit the values of one statement. */
const MAX_NAMES = 500;
