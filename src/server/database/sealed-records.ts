/** What the secret key protects in the records, and the refusal to work on records of another key. */
import { join } from "node:path";
import type { UnreadDatabase } from "#platform/database/database.ts";
import { checkKey, keepKeyCheck, type SealedCount } from "#platform/seal/key-check.ts";
import type { SealedColumn } from "#platform/seal/seal.ts";
import type { Environment } from "../environment.ts";
import { house } from "../house.ts";
import { openSecretKey, readSecretKey, readSecretKeyFile, SECRET_KEY_FILE } from "../secret-key.ts";
import { UserError } from "#platform/environment/user-error.ts";
import { describeDatabase, openRecords, type OpenRecordsOptions } from "./open-records.ts";
import { recordMigrations } from "./record-migrations.ts";
import type { RecordDatabase, RecordTables } from "./record-tables.ts";

/** All of it, of every room: what the pages about backups and security say is lost without the key. */
export const sealedRecords: readonly SealedColumn[] = house.sealed.toReversed();

type Options = Omit<OpenRecordsOptions, "migrations" | "beforeChange">;

/**
 * Opens the records with their key, and makes the key at the first start.
 * @throws UserError when they were sealed with another key: before anything is changed, or made
 */
export async function openSealedRecords(
  env: Environment,
  options: Options,
): Promise<{ database: RecordDatabase; secretKey: Uint8Array }> {
  const known = await readSecretKey(env);
  let stale: string | null = null;
  const database = await openRecords<RecordTables>(env, {
    ...options,
    migrations: recordMigrations,
    async beforeChange(found, where) {
      stale = await refuseOtherKey(env, known, { found, where });
    },
  });
  try {
    const secretKey = known ?? (await openSecretKey(env));
    // Another server may have been first since they were looked at.
    if (!(await keepKeyCheck(database.db, secretKey, stale)))
      throw new UserError(await describeOtherKey(env, describeDatabase(env), "sign-ins and secrets"));
    return { database, secretKey };
  } catch (error) {
    await database.close();
    throw error;
  }
}

interface Found {
  found: UnreadDatabase;
  /** In words. */
  where: string;
}

/** @param key null: there is none. @returns `stale` of `checkKey` */
export async function refuseOtherKey(
  env: Environment,
  key: Uint8Array | null,
  { found, where }: Found,
): Promise<string | null> {
  const { lost, stale } = await checkKey(found, key, sealedRecords);
  if (lost.length === 0) return stale;
  if (env.MILLRACE_SECRET_KEY !== undefined && (await fitsFile(env, found)))
    throw new UserError(
      `MILLRACE_SECRET_KEY is not the key of the records in ${where}, but ${fileOf(env)} is. Nothing was changed. Remove the variable, or set it to the content of that file.`,
    );
  throw new UserError(await describeOtherKey(env, where, listSealed(lost)));
}

/** "the key of the builders' authority, passwords for other registries (2)" */
export const listSealed = (lost: readonly SealedCount[]): string =>
  lost.map(({ what, count }) => (count === 1 ? what : `${what} (${count})`)).join(", ");

async function fitsFile(env: Environment, found: Found["found"]): Promise<boolean> {
  const key = await readSecretKeyFile(env).catch(() => null);
  return key !== null && (await checkKey(found, key, sealedRecords)).lost.length === 0;
}

async function describeOtherKey(env: Environment, where: string, sealed: string): Promise<string> {
  const [file, isVariable] = [fileOf(env), env.MILLRACE_SECRET_KEY !== undefined];
  const isThere = isVariable || (await readSecretKey(env)) !== null;
  const problem = isVariable
    ? `MILLRACE_SECRET_KEY is not the key of the records in ${where}`
    : isThere
      ? `${file} is not the key of the records in ${where}`
      : `There is no ${file}, and the records in ${where} need it`;
  const remedy = isVariable
    ? "Set it to the key that all servers of these records share, which is secret.key in a backup."
    : `Restore secret.key from the backup of these records, with mode 600${env.MILLRACE_DATABASE_URL === undefined ? "" : ", or set MILLRACE_SECRET_KEY to the key that all servers of these records share"}.`;
  return `${problem}. Without that key, the server cannot open ${sealed}. Nothing was changed. ${remedy} If that key is lost, stop all servers and run npm start -- forget-sealed, which says what would be removed.`;
}

const fileOf = ({ DATA_DIR }: Environment) => join(DATA_DIR, SECRET_KEY_FILE);
