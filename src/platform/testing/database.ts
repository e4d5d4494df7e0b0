/** Databases for tests: an SQLite file each, or a schema each in a configured PostgreSQL. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseKind } from "../database/columns.ts";
import type { DatabaseOptions } from "../database/database.ts";

const serverUrl = process.env["MILLRACE_TEST_DATABASE_URL"];

/** For tests of the whole server, and measurements. */
export const availableDatabaseKinds: readonly DatabaseKind[] = serverUrl
  ? ["sqlite", "postgres"]
  : ["sqlite"];

/**
 * For unit tests of records: `npm test` has no PostgreSQL; `npm run test:clients` starts one, and runs again each file below `src`
 * that names this list.
 * @public Only tests import it.
 */
export const testDatabaseKinds: readonly DatabaseKind[] = [serverUrl ? "postgres" : "sqlite"];

export interface TestDatabase {
  at: DatabaseOptions["at"];
  remove: () => Promise<void>;
}

/** A separate, empty database. */
export async function openTestDatabase(kind: DatabaseKind): Promise<TestDatabase> {
  if (kind === "sqlite") {
    const folder = mkdtempSync(join(tmpdir(), "millrace-db-"));
    return {
      at: { file: join(folder, "millrace.db") },
      remove: async () => rmSync(folder, { recursive: true }),
    };
  }
  if (!serverUrl) throw new Error("Set MILLRACE_TEST_DATABASE_URL.");
  const name = `test_${randomBytes(8).toString("hex")}`;
  const run = async (statement: string) => {
    const { default: pg } = await import("pg");
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await run(`create schema ${name}`);
  const url = new URL(serverUrl);
  url.searchParams.set("options", `-c search_path=${name}`);
  return { at: { url: url.href }, remove: () => run(`drop schema ${name} cascade`) };
}
