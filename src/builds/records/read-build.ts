/** Turns rows into builds. */
import type { Selectable } from "kysely";
import { askDatabase, authorize, type Caller, quoteReference, Refused } from "#accounts/index.ts";
import type { Build, BuildDetails, Step } from "../contract/builds.ts";
import { ASKED_LATELY_MS } from "../contract/limits.ts";
import type { BuildParts } from "../contract/parts.ts";
import type { BuildDatabase, BuildTables } from "../tables/schema.ts";

export type BuildRow = Selectable<BuildTables["builds"]> & { project: string; organization: string };
type StepRow = Selectable<BuildTables["build_steps"]>;
type Reading = Pick<BuildDatabase, "db">;

const SEARCHABLE = /^bld_[0-9a-z]{1,40}$/;
const ALL_STEPS = { since: -1, until: Number.MAX_SAFE_INTEGER, from: 0, to: Number.MAX_SAFE_INTEGER };
const NO_DETAILS: BuildDetails = {
  warnings: [],
  attestations: [],
  inputs: null,
  criticalPath: [],
  regression: null,
  failure: null,
  withoutCache: null,
  source: null,
  job: null,
};

/** With the names of its project and organization; excludes builds of deleted projects. */
export const selectBuilds = (db: BuildDatabase["db"]) =>
  db
    .selectFrom("builds")
    .innerJoin("projects", "projects.id", "builds.project_id")
    .innerJoin("organizations", "organizations.id", "builds.organization_id")
    .selectAll("builds")
    .select(["projects.name as project", "organizations.name as organization"]);

export async function findRow({ db }: Reading, buildId: string): Promise<BuildRow | undefined> {
  if (!SEARCHABLE.test(buildId)) return undefined;
  return selectBuilds(db).where("builds.id", "=", buildId).executeTakeFirst();
}

/** @throws Refused when the build does not exist, or the caller may not do this */
export async function requireBuild(
  { database }: Pick<BuildParts, "database">,
  { actor }: Pick<Caller, "actor">,
  { buildId, action }: { buildId: string; action: "build.read" | "build.write" },
): Promise<BuildRow> {
  if (buildId === "") throw new Refused("invalid_argument", "build_id is missing", { field: "build_id" });
  const row = await askDatabase(() => findRow(database, buildId));
  const refused = authorize(actor, action, {
    name: `build ${quoteReference(buildId)}`,
    // "" for a missing build, so that it gets the same answer as a build of others.
    organizationId: row?.organization_id ?? "",
    projectId: row?.project_id ?? "",
  });
  if (refused || !row) throw refused ?? new Refused("not_found", "the build was not found");
  return row;
}

/** Steps that changed after one revision and up to another. A step that changes again meanwhile has a later revision. */
export interface Revisions {
  since: number;
  until: number;
}

const changedSteps = ({ db }: Reading, buildId: string, { since, until }: Revisions) =>
  db
    .selectFrom("build_steps")
    .where("build_id", "=", buildId)
    .where("revision", ">", since)
    .where("revision", "<=", until)
    .orderBy("position");

/** Positions in the build of the steps that changed. */
export async function readPositions(
  database: Reading,
  buildId: string,
  revisions: Revisions,
): Promise<number[]> {
  const rows = await changedSteps(database, buildId, revisions).select("position").execute();
  return rows.map(({ position }) => position);
}

/** @param range all steps, or those that changed, between two positions, inclusive */
export async function readSteps(
  database: Reading,
  buildId: string,
  range: Revisions & { from: number; to: number } = ALL_STEPS,
): Promise<Step[]> {
  const rows = await changedSteps(database, buildId, range)
    .selectAll()
    .where("position", ">=", range.from)
    .where("position", "<=", range.to)
    .execute();
  return rows.map(toStep);
}

export async function readWhole(database: Reading, row: BuildRow, now: number): Promise<Build> {
  return { ...toBuild(row, now), steps: await readSteps(database, row.id) };
}

/** Without its steps. */
export function toBuild(row: BuildRow, now: number): Build {
  return {
    id: row.id,
    projectId: row.project_id,
    project: row.project,
    organization: row.organization,
    state: row.state,
    waitsFor: waitsFor(row, now),
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    stepsTotal: row.steps_total,
    stepsCached: row.steps_cached,
    stepsDone: row.steps_done,
    steps: [],
    image: row.image,
    digest: row.digest,
    error: row.error,
    canceledBy: row.canceled_by,
    labels: parseLabels(row),
    // Only this room writes it, like all JSON in its rows.
    saveTags: JSON.parse(row.save_tags) as string[],
    branch: row.branch,
    commitSha: row.commit_sha,
    createdBy: row.created_by,
    platforms: row.platforms.split(" ").filter((platform) => platform !== ""),
    logLines: row.log_lines,
    savedMs: row.saved_ms,
    usualMs: row.usual_ms,
    contextBytes: row.context_bytes,
    ...readDetails(row),
  };
}

export const parseLabels = ({ labels }: Pick<BuildRow, "labels">) =>
  JSON.parse(labels) as Record<string, string>;

export const readDetails = ({ details }: Pick<BuildRow, "details">): BuildDetails =>
  details === "" ? NO_DETAILS : { ...NO_DETAILS, ...(JSON.parse(details) as Partial<BuildDetails>) };

function waitsFor({ state, asked_at: askedAt, platforms }: BuildRow, now: number): Build["waitsFor"] {
  if (state !== "queued") return "";
  if (now - askedAt > ASKED_LATELY_MS) return "client";
  return platforms === "" ? "place" : "builder";
}

const toStep = (row: StepRow): Step => ({
  id: row.id,
  number: row.number === 0 ? "" : `#${row.number}`,
  name: row.name,
  platform: row.platform,
  state: row.state,
  cached: row.cached === 1,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  durationMs: row.duration_ms,
  savedMs: row.saved_ms,
  error: row.error,
  exitCode: row.exit_code,
  logLines: row.log_lines,
  inputs: JSON.parse(row.inputs) as string[],
});
