/** The tables of builds. Ids are texts, times are milliseconds since 1970. */
import type { ColumnType, CreateTableBuilder, Generated, Kysely } from "kysely";
import type { AccountTables } from "#accounts/index.ts";
import { columnTypes, type DatabaseKind } from "#platform/database/columns.ts";
import type { Database } from "#platform/database/database.ts";
import type { LeaseTables } from "#platform/database/lease.ts";
import type { Migration } from "#platform/database/migrate.ts";
import { createCacheAsksTable } from "./cache-asks-table.ts";
import { createFileTables } from "./file-tables.ts";
import { createKeptLogsTable } from "./kept-logs-table.ts";
import { createOpenIndex } from "./open-index.ts";
import { createOthers } from "./other-tables.ts";
import { createOverflowTable } from "./overflow-table.ts";
import { createRecipeTable } from "./recipe-table.ts";
import { addMachines, createPlaceTables } from "./place-tables.ts";

export type BuildState = "queued" | "running" | "succeeded" | "failed" | "canceled";
export type StepState = "waiting" | "running" | "succeeded" | "failed" | "canceled";
type Flag = 0 | 1;

export interface BuildTables {
  builds: {
    /** `bld_…` */
    id: string;
    project_id: string;
    organization_id: string;
    state: BuildState;
    /** Increases with each change of the build or its steps. */
    revision: Generated<number>;
    /** The server whose builder runs it; null: none yet. */
    holder: string | null;
    created_at: number;
    /** When a client last asked for its builder. */
    asked_at: Generated<number>;
    started_at: number | null;
    finished_at: number | null;
    /** From its start to its end; -1 until then. */
    duration_ms: Generated<number>;
    is_saved: Flag;
    /** JSON: a list. */
    save_tags: string;
    /** JSON: an object. */
    labels: string;
    branch: string;
    commit_sha: string;
    created_by: string;
    /** `usr_…` or `tok_…`. */
    created_by_id: string;
    canceled_by: Generated<string>;
    /** Set by a server that does not hold it. */
    cancel_at: number | null;
    /** As `cancel_at`: JSON of its client's report; "": none. */
    reported: Generated<string>;
    error: Generated<string>;
    /** Surrounded by spaces: ` linux/amd64 linux/arm64 `; "": none yet. */
    platforms: Generated<string>;
    target: Generated<string>;
    image: Generated<string>;
    digest: Generated<string>;
    steps_total: Generated<number>;
    steps_cached: Generated<number>;
    steps_done: Generated<number>;
    log_lines: Generated<number>;
    saved_ms: Generated<number>;
    usual_ms: Generated<number>;
    context_bytes: Generated<number>;
    /** JSON of `BuildDetails`. */
    details: Generated<string>;
    /** Lowercase text that a list is searched by. */
    search_text: string;
  };
  /** Each solve that a client of the build started. */
  build_refs: { build_id: string; project_id: string; platform: string; ref: string };
  build_steps: {
    build_id: string;
    platform: string;
    /** BuildKit's digest of the step. */
    id: string;
    position: number;
    /** Number in the log; 0: not begun. */
    number: number;
    name: string;
    state: StepState;
    cached: Flag;
    started_at: number | null;
    finished_at: number | null;
    duration_ms: number;
    saved_ms: number;
    error: string;
    exit_code: number;
    log_lines: number;
    /** JSON: a list of ids. */
    inputs: string;
    /** The build's revision when the step changed. */
    revision: number;
  };
  /** A part of a log. */
  build_log: {
    build_id: string;
    /** Numbers of its first and last line. */
    first_line: number;
    last_line: number;
    /** `records/log-blocks.ts` */
    data: Uint8Array;
  };
  /** The inputs of a build's steps: `records/recipes.ts`. */
  build_recipes: { build_id: string; platform: string; data: Uint8Array };
  /** The files that its clients had: `records/files.ts`. */
  build_files: { build_id: string; data: Uint8Array };
  /** When a layer cache was last emptied; platform "": all of them. */
  build_resets: { project_id: string; platform: string; reset_at: number };
  /** A layer cache that exceeded its limit when a build ended: `live/overflows.ts`. */
  build_overflows: { build_id: string; platform: string; noted_at: number };
  /** A build with a solve, until its unmasked logs are gone or found to hold no secrets: `live/forget-left.ts`. */
  build_kept_logs: { build_id: string; server: string };
  /** Duration of a step's last run. */
  build_durations: { project_id: string; step_key: string; duration_ms: number; measured_at: number };
  /** Unfinished builds that have asked for a builder: `queue/places.ts`. */
  build_places: {
    build_id: string;
    platform: string;
    project_id: string;
    /** Order of asking, within the project. */
    number: number;
    created_at: number;
    /** When its client last asked. */
    asked_at: number;
    granted_at: number | null;
    /** When its builder answered. */
    opened_at: number | null;
    /** Why it has no builder; "": it is waiting, or has one. */
    error: Generated<string>;
    /** Surrounded by spaces: servers that could not open a builder. */
    tried: Generated<string>;
  };
  build_servers: {
    holder: string;
    server: string;
    address: string;
    expires_at: number;
    /** JSON of its machine: `live/machines.ts`. */
    about: ColumnType<string | null, string | null | undefined>;
  };
  /** The server with the builder of a project and platform, and its layer cache. */
  build_homes: { project_id: string; platform: string; server: string };
  /** Requests between servers about layer caches: `live/cache-asks.ts`. JSON of the answer; "": none yet. */
  build_cache_asks: {
    id: string;
    /** The server that should answer. */
    server: string;
    kind: "usage" | "reset";
    project_id: string;
    platform: string;
    asked_at: number;
    answer: string;
  };
  /** One row: the authority that signs the certificates of builders and their clients. */
  build_authority: { id: number; certificate: string; sealed_key: string };
}

export type BuildDatabase = Database<BuildTables & AccountTables & LeaseTables>;

export const buildMigrations: readonly Migration[] = [
  {
    name: "builds-1",
    release: 2,
    async up(db, kind) {
      await createBuilds(db, kind);
      await createSteps(db, kind);
      await createOthers(db, kind);
    },
  },
  { name: "builds-2", release: 2, up: createRecipeTable },
  { name: "builds-3", release: 2, up: createPlaceTables },
  { name: "builds-4", release: 2, up: createFileTables },
  { name: "builds-cache-asks", release: 2, up: createCacheAsksTable },
  { name: "builds-open", release: 2, up: createOpenIndex },
  { name: "builds-overflows", release: 2, up: createOverflowTable },
  { name: "builds-machines", release: 3, up: addMachines },
  { name: "builds-kept-logs", release: 6, up: createKeptLogsTable },
];

async function createBuilds(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { text } = columnTypes(kind);
  const builds = db.schema
    .createTable("builds")
    .addColumn("id", text, (column) => column.primaryKey())
    .addColumn("holder", text)
    .addColumn("started_at", "bigint")
    .addColumn("finished_at", "bigint")
    .addColumn("cancel_at", "bigint");
  const texts = ["project_id", "organization_id", "state", "save_tags", "labels", "branch", "commit_sha"];
  const optional = ["canceled_by", "error", "platforms", "target", "image", "digest", "details"];
  const counts = ["revision", "asked_at", "steps_total", "steps_cached", "steps_done", "log_lines"];
  const sums = ["saved_ms", "usual_ms", "context_bytes"];
  let table = builds
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("is_saved", "bigint", (column) => column.notNull())
    .addColumn("duration_ms", "bigint", (column) => column.notNull().defaultTo(-1));
  for (const name of [...texts, "created_by", "created_by_id", "search_text"])
    table = table.addColumn(name, text, (column) => column.notNull());
  for (const name of optional)
    table = table.addColumn(name, text, (column) => column.notNull().defaultTo(""));
  for (const name of [...counts, ...sums])
    table = table.addColumn(name, "bigint", (column) => column.notNull().defaultTo(0));
  await table.execute();
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(name).on("builds").columns(columns).execute();
  await index("builds_by_project", ["project_id", "created_at", "id"]);
  await index("builds_by_organization", ["organization_id", "created_at", "id"]);
  await index("builds_by_state", ["state", "created_at"]);
}

async function createSteps(db: Kysely<unknown>, kind: DatabaseKind): Promise<void> {
  const { text } = columnTypes(kind);
  let steps = db.schema
    .createTable("build_steps")
    .addColumn("started_at", "bigint")
    .addColumn("finished_at", "bigint") as CreateTableBuilder<string, string>;
  for (const name of ["build_id", "platform", "id", "name", "state", "error", "inputs"])
    steps = steps.addColumn(name, text, (column) => column.notNull());
  for (const name of ["position", "number", "cached", "duration_ms", "saved_ms", "exit_code"])
    steps = steps.addColumn(name, "bigint", (column) => column.notNull());
  await steps
    .addColumn("log_lines", "bigint", (column) => column.notNull())
    .addColumn("revision", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("build_steps_key", ["build_id", "platform", "id"])
    .execute();
}
