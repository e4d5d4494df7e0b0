/**
 * Makes the fixtures of a landing: runs the code of a checkout with `npm start`, fills its folder through its own doors, and
 * keeps what it left. Before each release:
 *
 *   npm run node scripts/make-landing.ts 2026-11-24
 *   npm run node scripts/make-landing.ts 2026-11-22 ../checkout-of-that-day
 *   npm run node scripts/make-landing.ts 2026-11-24-of-22 . sqlite 2026-11-22    what it makes of a former landing's folder
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import type { DatabaseKind } from "#platform/database/columns.ts";
import { root } from "#server/build-folders.ts";
import { runCommand, UserError } from "#server/user-error.ts";
import { freePort } from "../tests/attack/server-process.ts";
import { findPostgres, type RunningPostgres, startPostgres } from "../tests/deploy/postgres.ts";
import {
  type Landing,
  type LandingStatement,
  readLandings,
  saveLanding,
  unpackLanding,
} from "../tests/fixtures/landings/landing-file.ts";
import {
  ADMIN_KEY,
  type Ask,
  fillServer,
  OWNER_TOKEN,
  readServer,
} from "../tests/fixtures/landings/walk-landing.ts";
import { walkServer } from "../tests/fixtures/landings/walk-methods.ts";

/** The first start builds the site. */
const START_MS = 600_000;
/** What the database's own tables are made with, and the notes about it. */
const OF_MIGRATIONS =
  /^\s*(?:create|alter|drop|pragma|vacuum)\b|\bmigrations\b|advisory_xact_lock|sqlite_schema|pg_attribute|pg_index/i;
const BEGINS = /^\s*(?:begin|start transaction)/i;
const ENDS = /^\s*(?:commit|rollback)$/i;

interface Running {
  ask: Ask;
  stop: () => Promise<void>;
}

/** A server of the checkout. Resolves when it answers. */
async function start(checkout: string, env: Record<string, string>): Promise<Running> {
  const port = await freePort();
  const builders = String(await freePort());
  const variables = {
    MILLRACE_BUILDER_PORT: builders,
    PORT: String(port),
    HOST: "127.0.0.1",
    RATE_LIMIT_FACTOR: "0",
    ACCESS_LOG: "off",
    ...env,
  };
  const keys = { MILLRACE_OWNER_TOKEN: OWNER_TOKEN, SEARCH_ADMIN_KEY: ADMIN_KEY };
  const child: ChildProcess = spawn("npm", ["start"], {
    cwd: checkout,
    env: { ...process.env, ...variables, ...keys },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  process.once("exit", () => child.kill());
  const ask: Ask = async (path, asked = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, asked);
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const until = performance.now() + START_MS;
  while (
    !(await ask("/docs").then(
      ({ status }) => status === 200,
      () => false,
    ))
  ) {
    if (child.exitCode !== null || performance.now() > until)
      throw new UserError("The server does not start.");
    await new Promise((again) => setTimeout(again, 200));
  }
  return {
    ask,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Path → Base64. Journals are written into their databases before. */
function readFolder(folder: string): Record<string, string> {
  const files: Record<string, string> = {};
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    const file = join(folder, path);
    if (!statSync(file).isFile()) continue;
    if (readFileSync(file).subarray(0, 15).toString() === "SQLite format 3") {
      const db = new DatabaseSync(file);
      db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      db.close();
    }
  }
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    const file = join(folder, path);
    // Programs and locks are not data.
    if (!statSync(file).isFile() || /\.lock$|-(?:wal|shm)$/.test(path) || statSync(file).size > 5_000_000)
      continue;
    files[path.replaceAll("\\", "/")] = readFileSync(file).toString("base64");
  }
  return files;
}

type Recorded = LandingStatement & { on: number };

/** Transactions one after the other, in the order in which they ended; of those that were undone nothing. */
function inOrder(recorded: readonly Recorded[], kind: DatabaseKind): LandingStatement[] {
  const all: LandingStatement[] = [];
  const open = new Map<number, LandingStatement[]>();
  for (const { on, ...statement } of recorded) {
    if (OF_MIGRATIONS.test(statement.sql)) continue;
    if (kind === "sqlite") {
      all.push(statement);
      continue;
    }
    const begun = open.get(on);
    if (BEGINS.test(statement.sql)) open.set(on, []);
    else if (ENDS.test(statement.sql)) {
      if (/commit/i.test(statement.sql)) all.push(...(begun ?? []));
      open.delete(on);
    } else (begun ?? all).push(statement);
  }
  return all;
}

function readStatements(file: string, kind: DatabaseKind): LandingStatement[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return inOrder(
    lines.map((line) => JSON.parse(line) as Recorded),
    kind,
  );
}

interface Place {
  checkout: string;
  kind: DatabaseKind;
  postgres: RunningPostgres | null;
}

/** What it sends to its database from an empty one on, in a walk through everything. */
async function recordStatements({ checkout, kind, postgres }: Place): Promise<LandingStatement[]> {
  const place = mkdtempSync(join(tmpdir(), "landing-"));
  const STATEMENTS_FILE = join(place, "statements");
  const recorder = join(root, "tests/fixtures/landings/record-statements.mjs");
  const env = { DATA_DIR: join(place, "data"), STATEMENTS_FILE, NODE_OPTIONS: `--import=${recorder}` };
  const { ask, stop } = await start(checkout, { ...env, ...databaseOf(postgres) });
  const objects = await fillServer(ask);
  await readServer(ask, objects);
  await walkServer(ask, objects);
  await stop();
  const statements = readStatements(STATEMENTS_FILE, kind);
  rmSync(place, { recursive: true, force: true });
  return statements;
}

/** What is in a folder that was filled, after another start; or in that of a former landing, which this one has started on. */
async function leaveFolder({ checkout, kind, postgres }: Place, former: Landing | undefined) {
  const place = mkdtempSync(join(tmpdir(), "landing-"));
  const env = { DATA_DIR: join(place, "data"), ...databaseOf(postgres) };
  let objects = former?.objects ?? {};
  if (former) {
    unpackLanding(former, env.DATA_DIR);
    if (postgres) await ask(postgres, former.dump.replaceAll(/^\\.*$/gm, ""));
  } else {
    const first = await start(checkout, env);
    objects = await fillServer(first.ask);
    await first.stop();
  }
  const second = await start(checkout, env);
  const answers = former?.answers ?? (await readServer(second.ask, objects));
  await second.stop();
  const files = readFolder(env.DATA_DIR);
  const form = await readForm(join(env.DATA_DIR, "millrace.db"), postgres);
  const dump = postgres && form > 0 ? dumpOf(postgres) : "";
  rmSync(place, { recursive: true, force: true });
  return { kind, madeAt: Date.now(), form, files, dump, objects, answers };
}

async function ask({ url }: RunningPostgres, text: string): Promise<{ form?: number }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ form?: number }>(text)).rows;
  } finally {
    await client.end();
  }
}

const databaseOf = (postgres: RunningPostgres | null): Record<string, string> =>
  postgres ? { MILLRACE_DATABASE_URL: postgres.url } : {};

/** 0: it has no records, or keeps them elsewhere. */
async function readForm(file: string, postgres: RunningPostgres | null): Promise<number> {
  const question = "select max(release) as form from migrations";
  // Earlier landings make no such table.
  if (postgres) return (await ask(postgres, question).catch(() => []))[0]?.form ?? 0;
  if (!existsSync(file)) return 0;
  const db = new DatabaseSync(file, { readOnly: true });
  const form = Number(db.prepare(question).get()?.["form"]);
  db.close();
  return form;
}

function dumpOf({ url }: RunningPostgres): string {
  const flags = ["--inserts", "--no-owner", "--no-privileges", url];
  const made = spawnSync(join(findPostgres()!, "pg_dump"), flags, { encoding: "utf8", maxBuffer: 1e9 });
  if (made.status !== 0) throw new Error(made.stderr);
  return made.stdout;
}

async function makeLanding(name: string, { checkout, kind }: Omit<Place, "postgres">, former?: Landing) {
  const begin = async () => (kind === "postgres" ? await startPostgres(findPostgres()!) : null);
  let postgres = await begin();
  const statements = former ? [] : await recordStatements({ checkout, kind, postgres });
  await postgres?.close();
  postgres = await begin();
  const left = await leaveFolder({ checkout, kind, postgres }, former);
  await postgres?.close();
  const commit = spawnSync("git", ["rev-parse", "HEAD"], { cwd: checkout, encoding: "utf8" }).stdout.trim();
  const bytes = saveLanding({ name, commit, ...left, statements });
  const counts = [Object.keys(left.files), Object.keys(left.answers), statements].map(({ length }) => length);
  console.log(
    `${name}, ${kind}: form ${left.form}, ${counts[0]} files, ${counts[1]} answers, ${counts[2]} statements, ${(bytes / 1024).toFixed(0)} KB`,
  );
}

await runCommand(async () => {
  const [name, folder = root, kinds = "sqlite,postgres", before] = process.argv.slice(2);
  if (!name)
    throw new UserError("Name the landing by its day: npm run node scripts/make-landing.ts 2026-11-24");
  for (const kind of kinds.split(",") as DatabaseKind[]) {
    const former = readLandings(kind).find((landing) => landing.name === before);
    if (before !== undefined && !former) throw new UserError(`There is no landing ${before} on ${kind}.`);
    await makeLanding(name, { checkout: resolve(folder), kind }, former);
  }
});
