/** The API for tests, with a cache, on a database and a folder of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccounts, accountMigrations, type AccountTables, setOwnerToken } from "#accounts/index.ts";
import { cacheMigrations, type CacheTables, createCache } from "#cache/index.ts";
import { createBlobs } from "#platform/blobs/blobs.ts";
import { openDiskStore } from "#platform/blobs/disk-store.ts";
import { blobMigrations, type BlobTables } from "#platform/blobs/schema.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import { openDatabase } from "#platform/database/database.ts";
import { leaseMigrations, type LeaseTables } from "#platform/database/lease.ts";
import { openTestDatabase } from "#platform/database/test-database.ts";
import type { Log } from "#platform/log/log.ts";
import type { ApiOptions } from "./create-api.ts";
import { apiMigrations, createApi } from "./index.ts";

export const OWNER_TOKEN = "mr_user_for-tests-only-0123456789-abcdef";

export interface Answer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the server answers
  body: any;
}

function noteIn(logged: string[]): Log {
  const note = (message: string, fields?: object) =>
    void logged.push(
      `${message} ${JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? String(value.stack) : value))}`,
    );
  return { debug: note, info: note, warn: note, error: note, writes: () => true, flush: () => {} };
}

type Tables = AccountTables & LeaseTables & BlobTables & CacheTables;
const migrations = [
  ...leaseMigrations,
  ...accountMigrations,
  ...apiMigrations,
  ...blobMigrations,
  ...cacheMigrations,
];

export async function openTestApi(kind: DatabaseKind, options: ApiOptions = {}) {
  const place = await openTestDatabase(kind);
  const time = { now: Date.UTC(2026, 10, 22) };
  const logged: string[] = [];
  const folder = mkdtempSync(join(tmpdir(), "millrace-api-"));
  const replica = await openReplica();

  /** Another server on the same database. */
  async function openReplica() {
    const database = await openDatabase<Tables>({ at: place.at, migrations });
    const log = noteIn(logged);
    const clock = () => time.now;
    const accounts = createAccounts({
      database,
      origin: "http://localhost:3000",
      version: "1.2.3",
      log,
      secretKey: new Uint8Array(32),
      clock,
    });
    await setOwnerToken(accounts, OWNER_TOKEN);
    const store = await openDiskStore(folder);
    const cache = createCache({ accounts, database, blobs: createBlobs({ database, store }), log, clock });
    const api = createApi(accounts, { cache, ...options });

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
      await cache.close();
      await store.close();
      await accounts.close();
      await database.close();
    };
    return { accounts, api, cache, database, call, close };
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
      rmSync(folder, { recursive: true });
    },
  };
}
