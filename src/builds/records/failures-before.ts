/** How often a build's failed step had failed before: the first failure in 40 builds does not mean that a step often fails. */
import { sql } from "kysely";
import type { BuildFailure } from "../contract/builds.ts";
import { FAILURES_READ_BUILDS, FAILURES_READ_STEPS } from "../contract/limits.ts";
import type { BuildDatabase } from "../tables/schema.ts";
import type { BuildRow } from "./read-build.ts";
import { readStepName, stepKey } from "./step-names.ts";
import type { RecordedStep } from "./steps.ts";

/** @returns null if no earlier build reached that step */
export async function readFailuresBefore(
  { db }: Pick<BuildDatabase, "db">,
  row: Pick<BuildRow, "id" | "project_id" | "created_at">,
  steps: readonly Pick<RecordedStep, "id" | "state" | "platform" | "name" | "key">[],
): Promise<BuildFailure | null> {
  const step = steps.find(({ state }) => state === "failed");
  if (!step) return null;
  const builds = await db
    .selectFrom("builds")
    .select(["id", "steps_total"])
    .where("project_id", "=", row.project_id)
    .where("state", "in", ["succeeded", "failed"])
    .where("created_at", "<=", row.created_at)
    .where("id", "!=", row.id)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(FAILURES_READ_BUILDS)
    .execute();
  const ids = takeNewest(builds);
  if (ids.length === 0) return null;
  const found = await db
    .selectFrom("build_steps")
    .select(["build_id", "name", "state"])
    .where("build_id", "in", ids)
    .where("platform", "=", step.platform)
    .where("state", "in", ["succeeded", "failed"])
    .where(sql<boolean>`name like ${formOf(step.name)} escape '\\'`)
    .execute();
  const same = found.filter(({ name }) => stepKey(step.platform, name) === step.key);
  const came = new Set(same.map((each) => each.build_id));
  const failed = new Set(same.filter(({ state }) => state === "failed").map((each) => each.build_id));
  if (came.size === 0) return null;
  return {
    stepId: step.id,
    comparedBuilds: came.size,
    failedBuilds: failed.size,
    lastFailedBuildId: ids.find((id) => failed.has(id)) ?? "",
  };
}

/** Limited because the records of all their steps are read. */
function takeNewest(builds: readonly { id: string; steps_total: number }[]): string[] {
  let steps = 0;
  return builds
    .filter((build) => (steps += Math.max(build.steps_total, 1)) <= FAILURES_READ_STEPS)
    .map(({ id }) => id);
}

/** `[build 2/3] RUN make` may have been `[build 2/2] RUN make`; the key excludes false matches. */
function formOf(name: string): string {
  const { instruction } = readStepName(name);
  const text = instruction.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return instruction === name ? text : `[%${text}`;
}
