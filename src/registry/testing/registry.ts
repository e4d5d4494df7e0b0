/** For tests: accounts with an organization, and a registry on the real database and a real folder, over HTTP. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Accounts,
  accountMigrations,
  type AccountTables,
  createAccounts,
  createCallers,
} from "#accounts/index.ts";
import { type Blobs, createBlobs } from "#platform/blobs/blobs.ts";
import type { ByteStore } from "#platform/blobs/byte-store.ts";
import { type Collector, startCollector } from "#platform/blobs/collect.ts";
import { openDiskStore } from "#platform/blobs/disk-store.ts";
import { blobMigrations, type BlobTables } from "#platform/blobs/schema.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import { openDatabase } from "#platform/database/database.ts";
import { leaseMigrations, type LeaseTables } from "#platform/database/lease.ts";
import { openTestDatabase, type TestDatabase } from "#platform/testing/database.ts";
import { consoleLog, type Log } from "#platform/log/log.ts";
import { createRegistry, type RegistryOptions, type RunningRegistry } from "../create-registry.ts";
import { createRegistryHandler } from "../http/handler.ts";
import { type RegistryDatabase, registryMigrations, type RegistryTables } from "../contract/schema.ts";
import { createTraffic, type Traffic } from "../http/traffic.ts";

export interface TestRegistry {
  registry: RunningRegistry;
  accounts: Accounts;
  database: RegistryDatabase;
  blobs: Blobs;
  collector: Collector;
  traffic: Traffic;
  /** The folder of the store's files. */
  folder: string;
  /** `http://127.0.0.1:4711` */
  url: string;
  /** A new process on the same database and folder: what the former one remembered is gone. */
  restart: () => Promise<void>;
  close: () => Promise<void>;
}

export interface TestRegistryOptions extends Partial<
  Pick<RegistryOptions, "quotaBytes" | "retentionMs" | "redirectBlobs" | "clock" | "log" | "mirror">
> {
  /** For tests of answers rather than of durability: a write to SQLite need not wait for the disk. */
  isInMemory?: boolean;
  /** Instead of a folder. */
  openStore?: () => Promise<ByteStore>;
  /** Tells real clients to get their tokens at `http://localhost:<its port>`. */
  isReachable?: boolean;
}

const IN_MEMORY: TestDatabase = { at: { file: null }, remove: () => Promise.resolve() };

export async function openTestRegistry(
  kind: DatabaseKind,
  options: TestRegistryOptions = {},
): Promise<TestRegistry> {
  const place = options.isInMemory ? IN_MEMORY : await openTestDatabase(kind);
  const database = await openDatabase<RegistryTables & BlobTables & AccountTables & LeaseTables>({
    at: place.at,
    migrations: [...leaseMigrations, ...accountMigrations, ...blobMigrations, ...registryMigrations],
  });
  const folder = mkdtempSync(join(tmpdir(), "millrace-registry-"));
  const log = options.log ?? consoleLog;
  const { clock } = options;
  const server = createServer((request, response) => running.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A port of TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  const accounts = createAccounts({
    database,
    origin: `http://localhost:${options.isReachable ? port : 3000}`,
    version: "0.0.0",
    log,
    secretKey: new Uint8Array(32),
    ...(clock && { clock }),
  });
  const traffic = createTraffic();
  const start = () => startRegistry({ accounts, database, traffic, folder, log, options });
  let running = await start();
  const end = async () => {
    await running.registry.close();
    await running.collector.stop();
  };
  const test: TestRegistry = {
    ...running,
    accounts,
    database,
    traffic,
    folder,
    url: `http://127.0.0.1:${port}`,
    async restart() {
      await end();
      running = await start();
      Object.assign(test, running);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await end();
      await accounts.close();
      await database.close();
      await place.remove();
      rmSync(folder, { recursive: true });
    },
  };
  return test;
}

interface StartOptions {
  accounts: Accounts;
  database: RegistryDatabase;
  traffic: Traffic;
  folder: string;
  log: Log;
  options: TestRegistryOptions;
}

async function startRegistry({ accounts, database, traffic, folder, log, options }: StartOptions) {
  const { openStore = () => openDiskStore(folder) } = options;
  const store = await openStore();
  await store.removeUnfinished();
  const { clock } = accounts;
  const collector = startCollector({ database, store, log, clock });
  const blobs = createBlobs({ database, store, onDropped: collector.wake });
  const registry = createRegistry({ accounts, database, blobs, store, log, ...options });
  const callers = createCallers(accounts, { rateLimitFactor: 0 });
  const handle = createRegistryHandler({ registry, callers, traffic, log });
  return { collector, blobs, registry, handle };
}
