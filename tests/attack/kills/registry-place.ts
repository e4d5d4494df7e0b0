/** A registry in a folder, for the process that is killed and for the process that checks afterwards. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createAccounts, createProject, identify, setOwnerToken } from "#accounts/index.ts";
import { createBlobs } from "#platform/blobs/blobs.ts";
import { startCollector } from "#platform/blobs/collect.ts";
import { openDiskStore } from "#platform/blobs/disk-store.ts";
import { openDatabase } from "#platform/database/database.ts";
import { consoleLog } from "#platform/log/log.ts";
import { createRegistry } from "#registry/index.ts";
import { recordMigrations } from "#server/database/record-migrations.ts";
import type { RecordTables } from "#server/database/record-tables.ts";

const TOKEN = "mr_user_of-the-kills-0123456789-0123456789";
const PROJECT = "web";

export async function openKillRegistry(dataDir: string, clock = Date.now) {
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
  const registry = createRegistry({ accounts, database, blobs, store, log, clock });
  await setOwnerToken(accounts, TOKEN);
  const actor = await identify(accounts, { bearer: TOKEN }, null);
  const organization = await database.db.selectFrom("organizations").select("name").executeTakeFirstOrThrow();
  const known = await database.db.selectFrom("projects").select("id").executeTakeFirst();
  if (!known) await createProject(accounts, { actor, address: "127.0.0.1" }, { name: PROJECT });
  const grant = await registry.grant({ actor, scopes: null }, `${organization.name}/${PROJECT}`, "push");
  const close = async () => {
    await registry.close();
    await collector.stop();
    await accounts.close();
    await database.close();
  };
  return { database, folder, collector, blobs, registry, grant, close };
}
