/** For tests: accounts with an organization, and a cache on the real database and a real folder. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Accounts, accountMigrations, type AccountTables, createAccounts } from "#accounts/index.ts";
import { blobMigrations, type BlobTables } from "#platform/blobs/schema.ts";
import { type Blobs, createBlobs } from "#platform/blobs/blobs.ts";
import { openDiskStore } from "#platform/blobs/disk-store.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import { openDatabase } from "#platform/database/database.ts";
import { leaseMigrations, type LeaseTables } from "#platform/database/lease.ts";
import { openTestDatabase } from "#platform/database/test-database.ts";
import { consoleLog } from "#platform/log/log.ts";
import type { Cache } from "./cache.ts";
import { type CacheOptions, createCache } from "./create-cache.ts";
import { type CacheDatabase, cacheMigrations, type CacheTables } from "./schema.ts";

export interface TestCache {
  cache: Cache;
  accounts: Accounts;
  database: CacheDatabase;
  blobs: Blobs;
  /** Where files are. */
  folder: string;
  close: () => Promise<void>;
}

export async function openTestCache(
  kind: DatabaseKind,
  options: Partial<Pick<CacheOptions, "quotaBytes" | "retentionMs" | "clock" | "log">> = {},
): Promise<TestCache> {
  const place = await openTestDatabase(kind);
  const database = await openDatabase<CacheTables & BlobTables & AccountTables & LeaseTables>({
    at: place.at,
    migrations: [...leaseMigrations, ...accountMigrations, ...blobMigrations, ...cacheMigrations],
  });
  const folder = mkdtempSync(join(tmpdir(), "millrace-cache-"));
  const store = await openDiskStore(folder);
  const blobs = createBlobs({ database, store });
  const log = options.log ?? consoleLog;
  const { clock } = options;
  const accounts = createAccounts({
    database,
    origin: "http://localhost:3000",
    version: "0.0.0",
    log,
    secretKey: new Uint8Array(32),
    ...(clock && { clock }),
  });
  const cache = createCache({ accounts, database, blobs, log, ...options });
  return {
    cache,
    accounts,
    database,
    blobs,
    folder,
    async close() {
      await cache.close();
      await accounts.close();
      await database.close();
      await place.remove();
      rmSync(folder, { recursive: true });
    },
  };
}
