/**
 * Records and the secret key that sealed them, on both kinds of database:
 * 1. The first start creates the key and notes that the records belong to it; later starts with the same key open them.
 * 2. With another key, without a key, and with a variable next to the right file, a start refuses: it says what cannot be opened,
 *    where, and what to do. No row, table or file is changed; the right key still opens everything. So does `owner-link`.
 * 3. The same holds for records of a release that recorded no key, judged by the sealed texts; if there are none, any key opens
 *    them, and they then belong to it.
 * 4. One of two servers that start at the same time with different keys opens the records.
 * 5. Records of a file are not copied to PostgreSQL with another key.
 * 6. `forget-sealed` lists what is lost, removes only that, when told to, and the next start works.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { openBuildAuthority } from "#builds/index.ts";
import { readShapes } from "#platform/database/table-shapes.ts";
import { openTestDatabase, testDatabaseKinds } from "#platform/testing/database.ts";
import { createSeal } from "#platform/seal/seal.ts";
import { sealedMirrorPasswords } from "#registry/index.ts";
import { type Environment, parseEnvironment } from "../environment.ts";
import { forgetSealed } from "../commands/forget-sealed.ts";
import { runServerCommand } from "../commands/server-commands.ts";
import { UserError } from "#platform/environment/user-error.ts";
import { openRecords } from "./open-records.ts";
import type { RecordDatabase } from "./record-tables.ts";
import { openSealedRecords } from "./sealed-records.ts";
import { createTestLog } from "../testing/log.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");
const OTHER = Buffer.alloc(32, 8).toString("base64");
const open = (env: Environment) => openSealedRecords(env, { log: createTestLog().log, waitMs: 0 });
const clock = () => Date.UTC(2026, 10, 26);

const keyFileIn = (env: Environment) => join(env.DATA_DIR, "secret.key");
const writeKey = (env: Environment, key: string) => writeFileSync(keyFileIn(env), key, { mode: 0o600 });

async function sealSome(database: RecordDatabase, secretKey: Uint8Array, { hosts = ["ghcr.io"] } = {}) {
  await openBuildAuthority({ database, secretKey, clock });
  for (const host of hosts)
    await database.db
      .insertInto("registry_mirror_credentials")
      .values({
        organization_id: "org_1",
        host,
        username: "ada",
        sealed: createSeal(secretKey, sealedMirrorPasswords).seal("of-ada", "org_1", host),
        set_by: "Ada",
        set_at: 1,
      })
      .execute();
}

/** All rows of all tables. */
async function readAll(database: RecordDatabase) {
  const tables = [...(await readShapes(database.db, database.kind)).keys()].sort();
  const rows: Record<string, unknown> = {};
  for (const table of tables) {
    const found = (await sql`select * from ${sql.table(table)}`.execute(database.db)).rows;
    rows[table] = found.map((row) => JSON.stringify(row)).sort();
  }
  return rows;
}
/** Except those that SQLite keeps while it is open. */
const filesIn = (env: Environment) =>
  readdirSync(env.DATA_DIR)
    .filter((name) => !/-(?:wal|shm)$/.test(name))
    .sort();

describe.each(testDatabaseKinds)("%s", (kind) => {
  async function openPlace() {
    const place = await openTestDatabase(kind);
    const DATA_DIR = mkdtempSync(join(tmpdir(), "sealed-"));
    const at: Record<string, string> = "url" in place.at ? { MILLRACE_DATABASE_URL: place.at.url } : {};
    const envWith = (more: Record<string, string> = {}) => parseEnvironment({ DATA_DIR, ...at, ...more });
    return { env: envWith(), envWith, remove: place.remove };
  }

  /** @returns the refusal's message. The records are unchanged, and no file was created */
  async function refusalOf(env: Environment, right: Environment) {
    const readRight = async () => {
      const { database } = await open(right);
      const rows = await readAll(database);
      await database.close();
      return rows;
    };
    const [rows, files] = [await readRight(), filesIn(env)];
    const refused = await open(env).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UserError);
    expect(filesIn(env)).toEqual(files);
    expect(await readRight()).toEqual(rows);
    return String(refused);
  }

  test("1. and 2. one key", async () => {
    const { env, envWith, remove } = await openPlace();
    const first = await open(env);
    await sealSome(first.database, first.secretKey, { hosts: ["ghcr.io", "quay.io"] });
    await first.database.close();
    const again = await open(env);
    expect(again.secretKey).toEqual(first.secretKey);
    await again.database.close();

    const sealed = "the key of the builders' authority, passwords for other registries (2)";
    const own = Buffer.from(first.secretKey).toString("base64");
    const right = envWith({ MILLRACE_SECRET_KEY: own });
    const other = envWith({ MILLRACE_SECRET_KEY: OTHER });
    expect(await refusalOf(other, env)).toMatch(
      /MILLRACE_SECRET_KEY is not the key of the records in .*, but .*secret\.key is\. Nothing was changed\. Remove the variable/,
    );
    writeKey(env, OTHER);
    const refused = await refusalOf(env, right);
    expect(refused).toMatch(/secret\.key is not the key of the records in .*the server cannot open /);
    expect(refused).toContain(`${sealed}. Nothing was changed. Restore secret.key from the backup`);
    expect(refused).toContain("npm start -- forget-sealed");
    expect(await refusalOf(other, right)).toMatch(
      /MILLRACE_SECRET_KEY is not the key .* Set it to the key that all servers of these records share/,
    );
    rmSync(keyFileIn(env));
    expect(await refusalOf(env, right)).toMatch(
      /There is no .*secret\.key, and the records in .* need it\. /,
    );
    writeKey(env, own);
    vi.stubEnv("DATA_DIR", env.DATA_DIR);
    if (env.MILLRACE_DATABASE_URL) vi.stubEnv("MILLRACE_DATABASE_URL", env.MILLRACE_DATABASE_URL);
    vi.stubEnv("MILLRACE_SECRET_KEY", OTHER);
    await expect(
      runServerCommand(["owner-link"], () => Promise.reject(new Error("no build"))),
    ).rejects.toThrow(/MILLRACE_SECRET_KEY is not the key/);
    vi.unstubAllEnvs();
    await remove();
  });

  /** As left by the previous release. */
  async function takeCheckAway(env: Environment) {
    const { database } = await open(env);
    await sql`drop table secret_key_check`.execute(database.db);
    await sql`delete from migrations where name = 'secret-key-check'`.execute(database.db);
    await database.close();
  }

  /** Without migrating them. */
  async function tablesOf(env: Environment) {
    let tables: string[] = [];
    const look = openRecords(env, {
      migrations: [],
      log: createTestLog().log,
      async beforeChange({ db }) {
        tables = [...(await readShapes(db, kind)).keys()];
        throw new UserError("seen");
      },
    });
    await expect(look).rejects.toThrow("seen");
    return tables;
  }

  test("3. records of before", async () => {
    const { env, remove } = await openPlace();
    const first = await open(env);
    await first.database.close();
    await takeCheckAway(env);
    // Nothing is sealed: any key will do, and the records then belong to it, even against a later key.
    writeKey(env, KEY);
    const second = await open(env);
    await second.database.close();
    writeKey(env, OTHER);
    const third = await open(env);
    await sealSome(third.database, third.secretKey);
    await third.database.close();

    await takeCheckAway(env);
    writeKey(env, KEY);
    await expect(open(env)).rejects.toThrow(/cannot open the key of the builders' authority, passwords/);
    expect(await tablesOf(env)).not.toContain("secret_key_check");
    writeKey(env, OTHER);
    const found = await open(env);
    // A text sealed by an older key is lost, but does not prevent a start.
    const older = createSeal(Buffer.alloc(32, 1), sealedMirrorPasswords).seal("x", "org_1", "ghcr.io");
    await sql`update registry_mirror_credentials set sealed = ${older}`.execute(found.database.db);
    await found.database.close();
    await takeCheckAway(env);
    await (await open(env)).database.close();
    await remove();
  });

  test("6. forget-sealed", async () => {
    const { env, remove } = await openPlace();
    const { database, secretKey } = await open(env);
    await sealSome(database, secretKey, { hosts: ["ghcr.io", "quay.io"] });
    await database.close();
    vi.stubEnv("DATA_DIR", env.DATA_DIR);
    if (env.MILLRACE_DATABASE_URL) vi.stubEnv("MILLRACE_DATABASE_URL", env.MILLRACE_DATABASE_URL);
    const said: string[] = [];
    const print = vi.spyOn(console, "log").mockImplementation((line: string) => void said.push(line));
    await forgetSealed(true);
    expect(said.pop()).toMatch(/nothing is lost/);
    rmSync(keyFileIn(env));
    await forgetSealed(false);
    expect(said.pop()).toMatch(
      /the secret key does not open: the key of the builders' authority, passwords for other registries \(2\)\. To remove .*: npm start -- forget-sealed yes/,
    );
    await expect(open(env)).rejects.toThrow(UserError);
    await forgetSealed(true);
    expect(said.pop()).toMatch(
      /^Removed from .*: the key of the builders' authority, passwords for other registries \(2\)/,
    );
    expect(filesIn(env)).not.toContain("secret.key");
    print.mockRestore();
    vi.unstubAllEnvs();
    const after = await open(env);
    await sealSome(after.database, after.secretKey);
    await after.database.close();
    await remove();
  });

  test.runIf(kind === "postgres")("4. two servers at once", async () => {
    const { envWith, remove } = await openPlace();
    const outcomes = await Promise.allSettled([
      open(envWith({ MILLRACE_SECRET_KEY: KEY })),
      open(envWith({ MILLRACE_SECRET_KEY: OTHER })),
    ]);
    const refused = outcomes.filter((each) => each.status === "rejected");
    expect(refused).toHaveLength(1);
    expect(String(refused[0]?.reason)).toMatch(/MILLRACE_SECRET_KEY is not the key of the records/);
    for (const each of outcomes) if (each.status === "fulfilled") await each.value.database.close();
    await remove();
  });

  test.runIf(kind === "postgres")("5. a file of another key", async () => {
    const { env, envWith, remove } = await openPlace();
    const file = parseEnvironment({ DATA_DIR: env.DATA_DIR });
    const { database, secretKey } = await open(file);
    await sealSome(database, secretKey);
    await sql`insert into organizations (id, name, is_first, created_at) values ('org_1', 'acme', 1, 1)`.execute(
      database.db,
    );
    await database.close();
    const other = envWith({ MILLRACE_SECRET_KEY: OTHER });
    await expect(open(other)).rejects.toThrow(
      /MILLRACE_SECRET_KEY is not the key of the records in .*millrace\.db, but/,
    );
    const copied = await open(env);
    const { rows } = await sql`select host from registry_mirror_credentials`.execute(copied.database.db);
    expect(rows).toEqual([{ host: "ghcr.io" }]);
    await copied.database.close();
    await expect(open(other)).rejects.toThrow(
      /MILLRACE_SECRET_KEY is not the key of the records in PostgreSQL/,
    );
    await remove();
  });
});
