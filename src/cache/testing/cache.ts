/** For tests: accounts with an organization, and a cache on the real database and a real folder. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { buffer } from "node:stream/consumers";
import { join } from "node:path";
import { type Accounts, accountMigrations, type AccountTables, createAccounts } from "#accounts/index.ts";
import { blobMigrations, type BlobTables } from "#platform/blobs/schema.ts";
import { type Blobs, createBlobs } from "#platform/blobs/blobs.ts";
import { type Collector, startCollector } from "#platform/blobs/collect.ts";
import { openDiskStore } from "#platform/blobs/disk-store.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import { openDatabase } from "#platform/database/database.ts";
import { leaseMigrations, type LeaseTables } from "#platform/database/lease.ts";
import { openTestDatabase } from "#platform/testing/database.ts";
import { consoleLog } from "#platform/log/log.ts";
import type { Cache, FoundEntry, Grant } from "../contract/cache.ts";
import { type CacheOptions, createCache, type RunningCache } from "../create-cache.ts";
import { type CacheDatabase, cacheMigrations, type CacheTables } from "../records/schema.ts";

export interface TestCache {
  cache: RunningCache;
  accounts: Accounts;
  database: CacheDatabase;
  blobs: Blobs;
  collector: Collector;
  /** The folder of the store's files. */
  folder: string;
  /** A new process on the same database and folder: what the former one remembered is gone. */
  restart: () => Promise<void>;
  /** Another server next to this one, with its own connections; SQLite has one. */
  openAnother: () => Promise<Pick<TestCache, "cache" | "database" | "close">>;
  close: () => Promise<void>;
}

export async function openTestCache(
  kind: DatabaseKind,
  options: Partial<Pick<CacheOptions, "quotaBytes" | "retentionMs" | "clock" | "log">> = {},
): Promise<TestCache> {
  const place = await openTestDatabase(kind);
  const folder = mkdtempSync(join(tmpdir(), "millrace-cache-"));
  const log = options.log ?? consoleLog;
  const { clock } = options;
  const start = async () => {
    const database = await openDatabase<CacheTables & BlobTables & AccountTables & LeaseTables>({
      at: place.at,
      migrations: [...leaseMigrations, ...accountMigrations, ...blobMigrations, ...cacheMigrations],
    });
    const accounts = createAccounts({
      database,
      origin: "http://localhost:3000",
      version: "0.0.0",
      log,
      secretKey: new Uint8Array(32),
      ...(clock && { clock }),
    });
    const store = await openDiskStore(folder, clock);
    await store.removeUnfinished();
    const collector = startCollector({ database, store, log, ...(clock && { clock }) });
    const blobs = createBlobs({ database, store, onDropped: collector.wake });
    const cache = createCache({ accounts, database, blobs, log, ...options });
    return { database, accounts, collector, blobs, cache };
  };
  type Started = Pick<TestCache, "cache" | "collector" | "accounts" | "database">;
  const end = async ({ cache, collector, accounts, database }: Started) => {
    await cache.close();
    await collector.stop();
    await accounts.close();
    await database.close();
  };
  const test: TestCache = {
    ...(await start()),
    folder,
    async restart() {
      await end(test);
      Object.assign(test, await start());
    },
    async openAnother() {
      const other = await start();
      return { ...other, close: () => end(other) };
    },
    async close() {
      await end(test);
      await place.remove();
      rmSync(folder, { recursive: true });
    },
  };
  return test;
}

/** @param meta the tool's metadata */
export async function putEntry(
  cache: Cache,
  grant: Grant,
  { key, content, meta }: { key: string; content: Uint8Array; meta?: string },
): Promise<void> {
  const upload = cache.receive(grant, { size: content.length });
  await upload.write(content);
  await cache.put(grant, key, await upload.finish(), meta);
}

/** All its bytes. @throws DamagedBlobError, MissingBytesError */
export async function readEntry({ blobs }: Pick<Cache, "blobs">, { blob }: FoundEntry): Promise<Buffer> {
  const reader = await blobs.open(blob);
  try {
    return await buffer(reader.bytes());
  } finally {
    await reader.close();
  }
}
