/** Opens this server's records: `millrace.db` in `DATA_DIR`, or PostgreSQL, which may start later than the server. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
  type UnreadDatabase,
} from "#platform/database/database.ts";
import { isDiskFull } from "#platform/database/disk-full.ts";
import { isDamage } from "#platform/database/open-sqlite.ts";
import { UnfitDatabaseError } from "#platform/database/migrate.ts";
import type { Log } from "#platform/log/log.ts";
import type { Environment } from "../environment.ts";
import { UserError } from "#platform/environment/user-error.ts";
import { copyRecords } from "./copy-records.ts";

const DATABASE_FILE = "millrace.db";

/** How long a start waits for PostgreSQL, which a machine may start at the same time. */
export const WAIT_MS = 30_000;
const PAUSE_MS = 500;

/**
 * The network, a missing socket, or a PostgreSQL that is starting, stopping or full:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const AWAY =
  /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT|57P0[123]|53300|0800[0136])$/;

export interface OpenRecordsOptions extends Pick<DatabaseOptions, "migrations" | "reserve"> {
  log: Log;
  /** Milliseconds to wait for PostgreSQL. */
  waitMs?: number;
  /** For commands next to a running server, which copy nothing. */
  isBesideServer?: boolean;
  /** May reject records before any of them is changed or copied. @param where their place, in words */
  beforeChange?: (database: UnreadDatabase, where: string) => Promise<void>;
}

type DatabaseEnvironment = Pick<Environment, "DATA_DIR" | "MILLRACE_DATABASE_URL">;

/**
 * Opens them. The first start with a new PostgreSQL copies the content of `millrace.db`, and must have `DATA_DIR` to itself.
 * @throws UserError that says what is wrong with the database and what to do, never its password
 */
export async function openRecords<Tables>(
  env: DatabaseEnvironment,
  options: OpenRecordsOptions,
): Promise<Database<Tables>> {
  const database = await connect<Tables>(env, options);
  const file = join(env.DATA_DIR, DATABASE_FILE);
  if (database.kind === "sqlite" || options.isBesideServer || !existsSync(file)) return database;
  try {
    await copyOnce(database, file, { ...options, where: describeDatabase(env) });
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function copyOnce<Tables>(
  database: Database<Tables>,
  file: string,
  { migrations, log, where, beforeChange }: OpenRecordsOptions & { where: string },
): Promise<void> {
  const first = sql<{ id: string }>`select id from organizations where is_first = 1`;
  const theirs = (await first.execute(database.db)).rows[0]?.id;
  const ours = readFirstOrganization(file);
  if (ours === undefined || ours === theirs) return;
  const advice = `An empty database would receive them at the next start. If you do not need them, move the file away.`;
  if (theirs !== undefined) return log.warn(`${file} has records that ${where} does not have. ${advice}`);
  const source = await openDatabase<Tables>({
    at: { file },
    migrations,
    beforeChange: async (found) => beforeChange?.(found, file),
  });
  try {
    const copied = await copyRecords(source, database);
    if (!copied) return log.warn(`${where} is not empty, so nothing was copied from ${file}. ${advice}`);
    log.info(
      `Copied ${copied.rows} rows of ${copied.tables} tables from ${file} to ${where}. The file is no longer used.`,
    );
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${file} was not copied to ${where}, which is unchanged (${reasonOf(error)}).`);
  } finally {
    await source.close();
  }
}

/** Changes nothing; undefined when no server has used the file yet. */
function readFirstOrganization(file: string): string | undefined {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return db.prepare("select id from organizations where is_first = 1").get()?.["id"]?.toString();
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("no such table")) return undefined;
    throw new UserError(
      `${file} cannot be copied (${reasonOf(error)}): restore a backup of it, or move it away.`,
    );
  } finally {
    db.close();
  }
}

/** Waits for a PostgreSQL that is not available yet. */
async function connect<Tables>(
  env: DatabaseEnvironment,
  { migrations, log, waitMs = WAIT_MS, beforeChange, reserve }: OpenRecordsOptions,
): Promise<Database<Tables>> {
  const until = performance.now() + waitMs;
  const onConnectionError = (error: Error) =>
    log.warn(`A connection to PostgreSQL was lost: ${error.message}`);
  const at = placeOf(env);
  const check = async (found: UnreadDatabase) => beforeChange?.(found, describeDatabase(env));
  for (let isTold = false; ; isTold = true) {
    try {
      return await openDatabase<Tables>({ at, migrations, reserve, onConnectionError, beforeChange: check });
    } catch (error) {
      if (!isAway(error) || performance.now() > until) throw explainDatabase(error, env);
      if (!isTold) log.warn(`Waiting for ${describeDatabase(env)} (${reasonOf(error)}) …`);
      await sleep(PAUSE_MS);
    }
  }
}

/** Whether a start has created them; for PostgreSQL this is not checked. */
export const hasRecords = ({ MILLRACE_DATABASE_URL: url, DATA_DIR }: DatabaseEnvironment): boolean =>
  url !== undefined || existsSync(join(DATA_DIR, DATABASE_FILE));

/** The place of the records, without user and password: `PostgreSQL at db.internal:5432/millrace`. */
export function describeDatabase(env: DatabaseEnvironment): string {
  if (env.MILLRACE_DATABASE_URL === undefined) return join(env.DATA_DIR, DATABASE_FILE);
  const { hostname, port, pathname, searchParams } = new URL(env.MILLRACE_DATABASE_URL);
  const host =
    hostname === "" ? (searchParams.get("host") ?? "") : `${hostname}:${port === "" ? 5432 : port}`;
  return `PostgreSQL at ${host}${pathname}`;
}

function placeOf({ DATA_DIR, MILLRACE_DATABASE_URL: url }: DatabaseEnvironment): DatabaseOptions["at"] {
  return url === undefined ? { file: join(DATA_DIR, DATABASE_FILE) } : { url };
}

/** Whether a retry may work in a moment. */
export function isAway(error: unknown): boolean {
  if (AWAY.test(codeOf(error))) return true;
  // The driver's own errors have no code.
  return error instanceof Error && /^(?:Connection terminated|timeout )/.test(error.message);
}

function explainDatabase(error: unknown, env: DatabaseEnvironment): unknown {
  if (error instanceof UserError) return error;
  const where = describeDatabase(env);
  if (error instanceof UnfitDatabaseError) return new UserError(`${where}: ${error.message}`);
  if (env.MILLRACE_DATABASE_URL !== undefined)
    return new UserError(`${where} cannot be used (${reasonOf(error)}): ${remedyOf(error)}`);
  if (isDamage(error)) return new UserError(`${where} is damaged: restore a backup with npm run restore.`);
  if (isDiskFull(error))
    return new UserError(
      `The records cannot be stored in ${where}, because the disk is full: free some space, or set DATA_DIR to a folder on another disk.`,
    );
  return new UserError(
    `The records cannot be stored in ${where} (${reasonOf(error)}): set DATA_DIR to a folder that this user can write.`,
  );
}

function remedyOf(error: unknown): string {
  if (isAway(error)) return "start it, or correct the host and port in MILLRACE_DATABASE_URL.";
  switch (codeOf(error)) {
    case "28P01":
    case "28000":
      return "correct the user and password in MILLRACE_DATABASE_URL.";
    case "3D000":
      return "create the database, or correct its name in MILLRACE_DATABASE_URL.";
    case "42501":
      return "its user must be allowed to create tables; GRANT CREATE, USAGE ON SCHEMA public TO <user> does that.";
    default:
      return "correct MILLRACE_DATABASE_URL.";
  }
}

/** The message of the system or the database; a host with several addresses fails with one error per address. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  const message = error instanceof Error ? error.message : String(error);
  return message === "" ? codeOf(error) : message;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
