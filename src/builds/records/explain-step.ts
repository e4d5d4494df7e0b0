/** Why a step did not come from the layer cache: reads what `explain/` compares. */
import { askDatabase, type Caller, quoteReference, Refused } from "#accounts/index.ts";
import type { Explanation, Step } from "../builds.ts";
import { explainStep as explain } from "../explain/explain-step.ts";
import { MAX_COMPARED_BUILDS } from "../explain/limits.ts";
import type { BuildRecord, CacheHistory, StepRecord } from "../explain/types.ts";
import { type BuildParts, serverOf } from "../parts.ts";
import { type BuildRow, readDetails, readSteps, requireBuild, selectBuilds } from "./read-build.ts";
import type { Explanations } from "./explanations.ts";
import { readFiles } from "./files.ts";
import { readRecipes } from "./recipes.ts";
import { readCacheHistory } from "./resets.ts";

type Database = BuildParts["database"];

type Parts = Pick<BuildParts, "database"> & {
  builders: Pick<BuildParts["builders"], "isShared">;
  explanations: Explanations;
};

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

async function readExplanation(
  { database, builders }: Omit<Parts, "explanations">,
  row: BuildRow,
  stepId: string,
): Promise<Explanation> {
  const explanation = await askDatabase(async () => {
    const rows = [row, ...(await readEarlier(database, row))];
    const [build, ...earlier] = await readRecords({ database, builders }, rows);
    const history = await readCacheHistory(database, row.project_id);
    return build ? explainWithFiles(database, { build, earlier, history }, stepId) : null;
  });
  if (!explanation) throw new Refused("not_found", `build ${row.id} has no step ${quoteReference(stepId)}`);
  return explanation;
}

interface Compared {
  build: BuildRecord;
  earlier: readonly BuildRecord[];
  history: CacheHistory;
}

/** What it is compared with does not depend on files, which are large: those of two builds are read. */
async function explainWithFiles(
  database: Database,
  { build, earlier, history }: Compared,
  stepId: string,
): Promise<Explanation | null> {
  const explanation = explain(build, stepId, earlier, history);
  const compared = earlier.find(({ id }) => id === explanation?.comparedBuildId);
  if (!compared) return explanation;
  const [files, before] = [await readFiles(database, build.id), await readFiles(database, compared.id)];
  if (!files || !before) return explanation;
  // The others tell when the cache was used last.
  const others = earlier.map((one) => (one === compared ? { ...one, files: before } : one));
  return explain({ ...build, files }, stepId, others, history);
}

/** Those of which `explain/` prefers one: of the same target, of the same branch, and whatever is newest. */
async function readEarlier(database: Database, row: BuildRow): Promise<BuildRow[]> {
  const earlier = selectBuilds(database.db)
    .where("builds.project_id", "=", row.project_id)
    .where("builds.id", "!=", row.id)
    .where("builds.created_at", "<=", row.created_at)
    .where("builds.state", "in", ["succeeded", "failed", "canceled"])
    .orderBy("builds.created_at", "desc")
    .limit(Math.floor(MAX_COMPARED_BUILDS / 2));
  const found = [
    await earlier.where("builds.target", "=", row.target).where("builds.branch", "=", row.branch).execute(),
    await earlier.execute(),
  ].flat();
  const byId = new Map(found.map((one) => [one.id, one]));
  return [...byId.values()].toSorted((one, other) => other.created_at - one.created_at);
}

async function readRecords(
  { database, builders }: Omit<Parts, "explanations">,
  rows: readonly BuildRow[],
): Promise<BuildRecord[]> {
  const recipes = await readRecipes(
    database,
    rows.map(({ id }) => id),
  );
  const records: BuildRecord[] = [];
  for (const row of rows) {
    const { inputs, withoutCache } = readDetails(row);
    const shown = Object.entries(inputs?.arguments ?? {});
    records.push({
      id: row.id,
      createdAt: row.created_at,
      server: builders.isShared || row.holder === null ? "" : serverOf(row.holder),
      target: row.target,
      branch: row.branch,
      commitSha: row.commit_sha,
      arguments: Object.fromEntries(shown.map(([name, text]) => [name, { fingerprint: text, shown: text }])),
      withoutCache,
      // oxlint-disable-next-line no-await-in-loop -- SQLite answers one after the other anyway
      steps: (await readSteps(database, row.id)).map(toRecord),
      recipe: recipes.get(row.id) ?? null,
      files: null,
    });
  }
  return records;
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
