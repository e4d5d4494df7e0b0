/** The API for tests, on a database of its own. */
import { createAccounts, accountMigrations, type AccountTables, setOwnerToken } from "#accounts/index.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import { openDatabase } from "#platform/database/database.ts";
import { leaseMigrations, type LeaseTables } from "#platform/database/lease.ts";
import type { Migration } from "#platform/database/migrate.ts";
import { openTestDatabase } from "#platform/database/test-database.ts";
import type { ApiOptions } from "./create-api.ts";
import { apiMigrations, createApi } from "./index.ts";

export const OWNER_TOKEN = "mr_user_for-tests-only-0123456789-abcdef";

export interface Answer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the server answers
  body: any;
}

export async function openTestApi(
  kind: DatabaseKind,
  { migrations = [], ...options }: ApiOptions & { migrations?: readonly Migration[] } = {},
) {
  const place = await openTestDatabase(kind);
  const time = { now: Date.UTC(2026, 10, 22) };
  const logged: string[] = [];
  const replica = await openReplica();

  /** Another server on the same database. */
  async function openReplica() {
    const database = await openDatabase<AccountTables & LeaseTables>({
      at: place.at,
      migrations: [...leaseMigrations, ...accountMigrations, ...apiMigrations, ...migrations],
    });
    const note = (message: string, fields?: object) =>
      void logged.push(
        `${message} ${JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? String(value.stack) : value))}`,
      );
    const accounts = createAccounts({
      database,
      origin: "http://localhost:3000",
      version: "1.2.3",
      log: { debug: note, info: note, warn: note, error: note, writes: () => true, flush: () => {} },
      secretKey: new Uint8Array(32),
      clock: () => time.now,
    });
    await setOwnerToken(accounts, OWNER_TOKEN);
    const api = createApi(accounts, options);

    /** @param method `ProjectService/List` */
    async function call(
      method: string,
      body: unknown = {},
      headers: Record<string, string> = {},
    ): Promise<Answer> {
      const response = await api.app.request(`/api/millrace.v1.${method}`, {
        method: "POST",
        headers: { authorization: `Bearer ${OWNER_TOKEN}`, "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json");
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
    }
    const close = async () => {
      await api.close();
      await accounts.close();
      await database.close();
    };
    return { accounts, api, database, call, close };
  }

  return {
    ...replica,
    openReplica,
    place,
    time,
    logged,
    async [Symbol.asyncDispose]() {
      await replica.close();
      await place.remove();
    },
  };
}
