/** The cache in a folder, for the process that is killed and for the process that checks afterwards. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Actor } from "#accounts/index.ts";
import { createAccounts } from "#accounts/index.ts";
import { createCache } from "#cache/index.ts";
import { createBlobs } from "#platform/blobs/blobs.ts";
import { startCollector } from "#platform/blobs/collect.ts";
import { openDiskStore } from "#platform/blobs/disk-store.ts";
import { openDatabase } from "#platform/database/database.ts";
import { consoleLog } from "#platform/log/log.ts";
import { recordMigrations } from "#server/database/record-migrations.ts";
import type { RecordTables } from "#server/database/record-tables.ts";

const actor: Actor = {
  kind: "organization",
  tokenId: "tok_kills",
  name: "kills",
  organizationId: "org_kills",
  organization: "kills",
  expiresAt: null,
  readOnly: false,
};

export async function openKillCache(dataDir: string, clock = Date.now) {
  mkdirSync(dataDir, { recursive: true });
  const database = await openDatabase<RecordTables>({
    at: { file: join(dataDir, "millrace.db") },
    migrations: recordMigrations,
  });
  const folder = join(dataDir, "blobs");
  const store = await openDiskStore(folder, clock);
  await store.removeUnfinished();
  const log = { ...consoleLog, info: () => {} };
  const collector = startCollector({ database, store, log, clock });
  const blobs = createBlobs({ database, store, onDropped: collector.wake });
  const accounts = createAccounts({
    database,
    origin: "http://localhost:3000",
    version: "0.0.0",
    log,
    secretKey: new Uint8Array(32),
  });
  const cache = createCache({ accounts, database, blobs, log });
  const grant = await cache.grant(actor, "bazel", "write");
  const close = async () => {
    await cache.close();
    await collector.stop();
    await accounts.close();
    await database.close();
  };
  return { database, folder, collector, cache, grant, close };
}
