/** For tests: accounts with an organization, and a cache on the real database and a real folder. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Accounts, accountMigrations, type AccountTables, createAccounts } from "#accounts/index.ts";
import { blobMigrations, type BlobTables } from "#platform/blobs/schema.ts";
import { type Blobs, createBlobs } from "#platform/blobs/blobs.ts";
import { type Collector, startCollector } from "#platform/blobs/collect.ts";
import { openDiskStore } from "#platform/blobs/disk-store.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import { openDatabase } from "#platform/database/database.ts";
import { leaseMigrations, type LeaseTables } from "#platform/database/lease.ts";
import { openTestDatabase } from "#platform/database/test-database.ts";
import { consoleLog } from "#platform/log/log.ts";
import { type CacheOptions, createCache, type RunningCache } from "./create-cache.ts";
import { type CacheDatabase, cacheMigrations, type CacheTables } from "./schema.ts";

export interface TestCache {
  cache: RunningCache;
  accounts: Accounts;
  database: CacheDatabase;
  blobs: Blobs;
  collector: Collector;
  /** Where files are. */
  folder: string;
  /** A new process on the same database and folder: what the former one remembered is gone. */
  restart: () => Promise<void>;
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
  const start = async () => {
    const store = await openDiskStore(folder);
    await store.removeUnfinished();
    const collector = startCollector({ database, store, log, ...(clock && { clock }) });
    const blobs = createBlobs({ database, store, onDropped: collector.wake });
    return { collector, blobs, cache: createCache({ accounts, database, blobs, log, ...options }) };
  };
  const end = async ({ cache, collector }: Pick<TestCache, "cache" | "collector">) => {
    await cache.close();
    await collector.stop();
  };
  const test: TestCache = {
    ...(await start()),
    accounts,
    database,
    folder,
    async restart() {
      await end(test);
      Object.assign(test, await start());
    },
    async close() {
      await end(test);
      await accounts.close();
      await database.close();
      await place.remove();
      rmSync(folder, { recursive: true });
    },
  };
  return test;
}
