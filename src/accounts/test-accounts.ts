/** Accounts for tests, on a database of their own, with a clock that stands still. */
import { type DatabaseKind } from "#platform/database/columns.ts";
import { openDatabase } from "#platform/database/database.ts";
import { leaseMigrations, type LeaseTables } from "#platform/database/lease.ts";
import { openTestDatabase } from "#platform/database/test-database.ts";
import { createAccounts, type Accounts, type AccountsOptions } from "./accounts.ts";
import { accountMigrations } from "./migrations.ts";
import type { AccountTables } from "./schema.ts";

export const OWNER_TOKEN = "mr_user_for-tests-only-0123456789-abcdef";

export interface TestAccounts extends AsyncDisposable {
  accounts: Accounts;
  /** Messages, with their fields as JSON. */
  logged: string[];
  /** Milliseconds since 1970. */
  time: { now: number };
}

export async function openTestAccounts(
  kind: DatabaseKind,
  options: Partial<AccountsOptions> = {},
): Promise<TestAccounts> {
  const place = await openTestDatabase(kind);
  const database = await openDatabase<AccountTables & LeaseTables>({
    at: place.at,
    migrations: [...leaseMigrations, ...accountMigrations],
  });
  const logged: string[] = [];
  const note = (message: string, fields?: object) =>
    void logged.push(fields ? `${message} ${JSON.stringify(fields)}` : message);
  const time = { now: Date.UTC(2026, 0, 1) };
  const log = { debug: note, info: note, warn: note, error: note, writes: () => true, flush: () => {} };
  const accounts = createAccounts({
    database,
    origin: "https://build.acme.example",
    version: "1.2.3",
    log,
    secretKey: new Uint8Array(32),
    clock: () => time.now,
    ...options,
  });
  return {
    accounts,
    logged,
    time,
    async [Symbol.asyncDispose]() {
      await accounts.close();
      await database.close();
      await place.remove();
    },
  };
}
