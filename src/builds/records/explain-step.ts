/** Why a step did not come from the layer cache: reads the records that `explain/` compares. */
import { askDatabase, type Caller, quoteReference, Refused } from "#accounts/index.ts";
import type { Explanation, Step } from "../contract/builds.ts";
import { explainStep as explain } from "../explain/explain-step.ts";
import { MAX_COMPARED_BUILDS, MAX_STEPS } from "../explain/limits.ts";
import type { BuildHead, BuildMaterial, StepHead, StepRecord } from "../explain/types.ts";
import { type BuildParts, serverOf } from "../contract/parts.ts";
import { type BuildRow, readDetails, readSteps, requireBuild } from "./read-build.ts";
import type { Explanations } from "./explanations.ts";
import { readFiles } from "./files.ts";
import { readKeptRecipe } from "./recipes.ts";
import { readCacheHistory } from "./resets.ts";

type Database = BuildParts["database"];

type Parts = Pick<BuildParts, "database"> & {
  builders: Pick<BuildParts["builders"], "isShared">;
  explanations: Explanations;
};
type Reading = Omit<Parts, "explanations">;

export async function explainStep(
  { database, builders, explanations }: Parts,
  caller: Caller,
  { buildId, stepId }: { buildId: string; stepId: string },
): Promise<Explanation> {
  const row = await requireBuild({ database }, caller, { buildId, action: "build.read" });
  if (stepId === "") throw new Refused("invalid_argument", "step_id is missing", { field: "step_id" });
  const find = () => readExplanation({ database, builders }, row, stepId);
  return explanations({ organizationId: row.organization_id, buildId, stepId }, find);
}

async function readExplanation(parts: Reading, row: BuildRow, stepId: string): Promise<Explanation> {
  const { database } = parts;
  const explanation = await askDatabase(async () => {
    const { withoutCache } = readDetails(row);
    const steps = (await readSteps(database, row.id)).map(toRecord);
    return explain({ ...toHead(parts, row), withoutCache, steps }, stepId, {
      builds: (await readEarlier(database, row)).map((earlier) => toHead(parts, earlier)),
      readSteps: (buildId) => readStepHeads(database, buildId),
      readMaterial: (buildId) => readMaterial(database, buildId),
      readHistory: (since, until) => readCacheHistory(database, row.project_id, { since, until }),
    });
  });
  if (!explanation) throw new Refused("not_found", `build ${row.id} has no step ${quoteReference(stepId)}`);
  return explanation;
}

type HeadRow = Pick<BuildRow, "id" | "created_at" | "holder" | "target" | "branch">;

const toHead = ({ builders }: Pick<Parts, "builders">, row: HeadRow): BuildHead => ({
  id: row.id,
  createdAt: row.created_at,
  server: builders.isShared || row.holder === null ? "" : serverOf(row.holder),
  target: row.target,
  branch: row.branch,
});

/** The builds that `explain/` chooses from: those of the same target and branch, and the newest. */
async function readEarlier({ db }: Database, row: BuildRow): Promise<HeadRow[]> {
  const earlier = db
    .selectFrom("builds")
    .select(["id", "created_at", "holder", "target", "branch"])
    .where("project_id", "=", row.project_id)
    .where("id", "!=", row.id)
    .where("created_at", "<=", row.created_at)
    .where("state", "in", ["succeeded", "failed", "canceled"])
    .orderBy("created_at", "desc")
    .limit(Math.floor(MAX_COMPARED_BUILDS / 2));
  const found = [
    await earlier.where("target", "=", row.target).where("branch", "=", row.branch).execute(),
    await earlier.execute(),
  ].flat();
  const byId = new Map(found.map((one) => [one.id, one]));
  return [...byId.values()].toSorted((one, other) => other.created_at - one.created_at);
}

async function readStepHeads({ db }: Database, buildId: string): Promise<StepHead[]> {
  const rows = await db
    .selectFrom("build_steps")
    .select(["id", "name", "platform", "state"])
    .where("build_id", "=", buildId)
    .orderBy("position")
    .limit(MAX_STEPS)
    .execute();
  return rows.map((row, position) => ({ ...row, number: position + 1 }));
}

async function readMaterial(database: Database, buildId: string): Promise<BuildMaterial> {
  const row = await database.db
    .selectFrom("builds")
    .select("details")
    .where("id", "=", buildId)
    .executeTakeFirst();
  const shown = Object.entries((row && readDetails(row).inputs?.arguments) ?? {});
  return {
    arguments: Object.fromEntries(shown.map(([name, text]) => [name, { fingerprint: text, shown: text }])),
    recipe: await readKeptRecipe(database, buildId),
    files: await readFiles(database, buildId),
  };
}

export const toRecord = (step: Omit<Step, "number">, position: number): StepRecord => ({
  id: step.id,
  number: position + 1,
  name: step.name,
  platform: step.platform,
  inputs: step.inputs,
  state: step.state,
  isCached: step.cached,
  startedAt: step.startedAt,
  finishedAt: step.finishedAt,
  durationMs: step.durationMs,
});
