/**
 * 1. The end of a build records its critical path, and a step that became slower with the commit since which it is slower.
 * 2. A step is explained from the records: an edited instruction, an argument; builds of other projects are left out.
 * 3. A failed build reports how often its step had failed before: at any position, only in its project, in the earlier builds that
 *    reached it, of which not all are read.
 * 4. Values that look like secrets are neither shown nor stored so that they could be guessed; two of them still differ.
 * 5. A build's recipes are only read up to a size that takes a moment; a recipe that is too large is not stored.
 */
import { afterEach, describe, expect, test } from "vitest";
import { accountMigrations, type AccountTables, type Caller } from "#accounts/index.ts";
import { openDatabase } from "#platform/database/database.ts";
import { leaseMigrations, type LeaseTables } from "#platform/database/lease.ts";
import { openTestDatabase, testDatabaseKinds } from "#platform/testing/database.ts";
import { createChanges } from "../contract/changes.ts";
import { FAILURES_READ_BUILDS, FAILURES_READ_STEPS } from "../contract/limits.ts";
import { type BuildDatabase, buildMigrations, type BuildTables } from "../tables/schema.ts";
import { Masker } from "../masking/masker.ts";
import { analyzeBuild } from "./analyze-build.ts";
import { explainStep } from "./explain-step.ts";
import { createExplanations } from "./explanations.ts";
import { MAX_PROVENANCE_BYTES } from "../explain/limits.ts";
import { findRow } from "./read-build.ts";
import { hideValue, packRecipe, readKeptRecipe } from "./recipes.ts";
import { readStepName, stepKey } from "./step-names.ts";
import type { RecordedStep } from "./steps.ts";
import { writeProgress } from "./write-build.ts";

const MINUTE_MS = 60_000;
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function stepOf(id: string, name: string, parts: Partial<RecordedStep> = {}): RecordedStep {
  const { isInstruction } = readStepName(name);
  const key = stepKey("linux/amd64", name);
  const times = { startedAt: 0, finishedAt: 10, durationMs: 10, savedMs: 0 };
  const ending = { state: "succeeded" as const, cached: false, error: "", exitCode: 0 };
  const rest = { position: Number(id), number: 1, logLines: 0, inputs: [], platform: "linux/amd64" };
  return { id, name, isInstruction, key, ...times, ...ending, ...rest, ...parts };
}

describe.each(testDatabaseKinds)("%s", (kind) => {
  async function open(): Promise<BuildDatabase> {
    const place = await openTestDatabase(kind);
    const database = await openDatabase<BuildTables & AccountTables & LeaseTables>({
      at: place.at,
      migrations: [...leaseMigrations, ...accountMigrations, ...buildMigrations],
    });
    closers.push(() => database.close().then(place.remove));
    const organization = { id: "org_1", name: "acme", is_first: 1 as const, created_at: 0 };
    await database.db.insertInto("organizations").values(organization).execute();
    for (const id of ["prj_1", "prj_2"]) {
      const sizes = { builder_size: 1, cache_size_bytes: 1, retention_days: 1, revision: 0 };
      const project = {
        id,
        organization_id: "org_1",
        name: id,
        created_at: 0,
        immutable_tags: null,
        ...sizes,
      };
      await database.db
        .insertInto("projects")
        .values({ ...project, changed_at: null, changed_by: null })
        .execute();
    }
    return database;
  }

  interface Added {
    at: number;
    projectId?: string;
    args?: Record<string, string>;
    durationMs?: number;
    state?: "succeeded" | "failed" | "canceled";
  }
  async function add(database: BuildDatabase, steps: RecordedStep[], added: Added): Promise<string> {
    const { at, projectId = "prj_1", args = {}, durationMs = 10, state = "succeeded" } = added;
    const id = `bld_${projectId.slice(-1)}${at}`;
    const inputs = { frontend: "", dockerfile: "Dockerfile", target: "", arguments: args, context: "local" };
    const author = {
      created_by: "ada",
      created_by_id: "usr_1",
      save_tags: "[]",
      labels: "{}",
      search_text: "",
    };
    const times = {
      created_at: at,
      started_at: at,
      finished_at: at,
      duration_ms: durationMs,
      cancel_at: null,
    };
    const names = { organization_id: "org_1", project_id: projectId, branch: "main", commit_sha: `c${at}` };
    const more = { state, holder: null, is_saved: 0 as const };
    const details = JSON.stringify({ inputs: { ...inputs, namedContexts: {} } });
    const row = { id, ...author, ...times, ...names, ...more, details };
    await database.db.insertInto("builds").values(row).execute();
    const totals = { stepsTotal: 0, stepsCached: 0, stepsDone: 0, savedMs: 0, logLines: 0 };
    await writeProgress({ database, changes: createChanges() }, id, {
      steps,
      totals,
      lines: [],
      warnings: [],
    });
    return id;
  }

  test("path and regression (1)", async () => {
    const database = await open();
    const compile = (ms: number) => [
      stepOf("0", "[1/2] RUN install", { durationMs: 20_000, finishedAt: 20_000 }),
      stepOf("1", "[2/2] RUN compile", {
        durationMs: ms,
        startedAt: 20_000,
        finishedAt: 20_000 + ms,
        inputs: ["0"],
      }),
    ];
    for (let at = 1; at <= 10; at += 1)
      await add(database, compile(40_000 + at * 10), { at, durationMs: MINUTE_MS });
    await add(database, compile(80_000), { at: 11, durationMs: 100_000 });
    const id = await add(database, [], { at: 12 });
    const row = await findRow(database, id);
    const ended = { state: "succeeded" as const, steps: compile(80_000) };
    const found = row && (await analyzeBuild({ database, clock: () => 100_012 }, row, ended));
    expect(found).toEqual({
      criticalPath: ["0", "1"],
      regression: {
        percent: 67,
        comparedBuilds: 11,
        stepId: "1",
        stepName: "[2/2] RUN compile",
        sinceCommit: "c11",
      },
      failure: null,
    });
  });

  test("failures before (3)", async () => {
    const database = await open();
    const failing = (name: string) => [
      stepOf("0", "[build 1/2] COPY . ."),
      stepOf("1", name, { state: "failed", exitCode: 1 }),
    ];
    const readFailure = async (at: number, name: string) => {
      const row = await findRow(database, await add(database, failing(name), { at, state: "failed" }));
      const ended = { state: "failed" as const, steps: failing(name) };
      return row && (await analyzeBuild({ database, clock: () => 1000 }, row, ended)).failure;
    };
    const make = "[build 2/2] RUN make 100%_";
    expect(await readFailure(1, make)).toBe(null);
    // Another stage, another instruction, another project, and a build that was canceled before that step.
    await add(database, failing("[test 2/2] RUN make 100%_"), { at: 2, state: "failed" });
    await add(database, failing("[build 2/2] RUN make 100 percent"), { at: 3, state: "failed" });
    await add(database, failing(make), { at: 4, projectId: "prj_2", state: "failed" });
    const stopped = stepOf("1", make, { state: "canceled" });
    await add(database, [stopped], { at: 5, state: "failed" });
    await add(database, [stopped], { at: 6, state: "canceled" });
    await add(database, [stepOf("1", make, { cached: true })], { at: 7 });
    await add(database, failing(make), { at: 99, state: "failed" });
    expect(await readFailure(8, "[linux/amd64 build 3/3] RUN make 100%_")).toEqual({
      stepId: "1",
      comparedBuilds: 2,
      failedBuilds: 1,
      lastFailedBuildId: "bld_11",
    });
    for (let at = 10; at < 70; at += 1) await add(database, [stepOf("1", make)], { at });
    expect(await readFailure(70, make)).toEqual({
      stepId: "1",
      comparedBuilds: FAILURES_READ_BUILDS,
      failedBuilds: 0,
      lastFailedBuildId: "",
    });
    // Large builds are read until this number of steps.
    await database.db
      .updateTable("builds")
      .set({ steps_total: FAILURES_READ_STEPS / 4 })
      .execute();
    expect(await readFailure(71, make)).toMatchObject({ comparedBuilds: 4, failedBuilds: 1 });
  });

  test("explanations (2)", async () => {
    const database = await open();
    const caller: Caller = {
      address: "",
      actor: {
        kind: "organization",
        tokenId: "tok_1",
        name: "ci",
        organizationId: "org_1",
        organization: "acme",
        expiresAt: null,
        readOnly: false,
      },
    };
    const base = stepOf("0", "[1/2] FROM debian", { cached: true });
    await add(database, [base, stepOf("1", "[2/2] RUN make -j1", { inputs: ["0"] })], { at: 1 });
    await add(database, [base, stepOf("1", "[2/2] RUN make -j8", { inputs: ["0"] })], {
      at: 2,
      projectId: "prj_2",
    });
    const parts = { database, builders: {}, explanations: createExplanations() };
    const edited = await add(database, [base, stepOf("1", "[2/2] RUN make -j8", { inputs: ["0"] })], {
      at: 3,
      args: { LEVEL: "1" },
    });
    expect(await explainStep(parts, caller, { buildId: edited, stepId: "1" })).toEqual({
      summary: "The instruction changed from `RUN make -j1` to `RUN make -j8`.",
      causes: [{ kind: "instruction", name: "RUN make -j8", before: "RUN make -j1", after: "RUN make -j8" }],
      comparedBuildId: "bld_11",
    });
    const argued = await add(database, [base, stepOf("1", "[2/2] RUN make -j8", { inputs: ["0"] })], {
      at: 4,
      args: { LEVEL: "2" },
    });
    const { causes } = await explainStep(parts, caller, {
      buildId: argued,
      stepId: "1",
    });
    expect(causes).toEqual([{ kind: "argument", name: "LEVEL", before: "1", after: "2" }]);
    const missing = explainStep(parts, caller, { buildId: argued, stepId: "7" });
    await expect(missing).rejects.toThrow(`build ${argued} has no step 7`);
  });

  test("large recipes (5)", async () => {
    const database = await open();
    const recipeOf = (bytes: number) => ({
      steps: {},
      sources: { "pkg:docker/debian@12": "d".repeat(bytes) },
    });
    expect(() => packRecipe(recipeOf(MAX_PROVENANCE_BYTES))).toThrow("it is too large");
    const data = packRecipe(recipeOf(MAX_PROVENANCE_BYTES - 1000));
    const small = packRecipe(recipeOf(2000));
    const rows = [
      { build_id: "bld_1", platform: "linux/amd64", data: small },
      { build_id: "bld_1", platform: "linux/arm64", data },
      { build_id: "bld_2", platform: "linux/amd64", data },
    ];
    await database.db.insertInto("build_recipes").values(rows).execute();
    expect(await readKeptRecipe(database, "bld_1")).toEqual(recipeOf(2000));
    expect(await readKeptRecipe(database, "bld_2")).toEqual(recipeOf(MAX_PROVENANCE_BYTES - 1000));
    expect(await readKeptRecipe(database, "bld_3")).toBeNull();
  });
});

test("secrets (4)", () => {
  const none = new Masker();
  const known = new Masker();
  known.addArguments(["known-value"]);
  const [one, other] = ["hunter2-hunter2", "correct horse"].map((text) => hideValue("NPM_TOKEN", text, none));
  expect(one?.shown).toBe("***");
  expect(one?.fingerprint).not.toBe(other?.fingerprint);
  expect(one?.fingerprint.length).toBeLessThanOrEqual(4);
  expect(hideValue("URL", "https://x/known-value", known).shown).toBe("https://x/***");
  expect(hideValue("LEVEL", "1", none).shown).toBe("1");
});
