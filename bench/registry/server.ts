/** The registry as in the server: one guarded port, SQLite and a folder. Its first argument is the folder, its second the owner's token. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Hono } from "hono";
import {
  accountMigrations,
  type AccountTables,
  createAccounts,
  createCallers,
  createProject,
  identify,
  setOwnerToken,
} from "#accounts/index.ts";
import { createBlobs } from "#platform/blobs/blobs.ts";
import { startCollector } from "#platform/blobs/collect.ts";
import { openDiskStore } from "#platform/blobs/disk-store.ts";
import { blobMigrations, type BlobTables } from "#platform/blobs/schema.ts";
import { openDatabase } from "#platform/database/database.ts";
import { leaseMigrations, type LeaseTables } from "#platform/database/lease.ts";
import { consoleLog } from "#platform/log/log.ts";
import {
  createRegistry,
  createRegistryHandler,
  createRegistryTraffic,
  registryMigrations,
  type RegistryTables,
} from "#registry/index.ts";
import { createGuardedServer } from "#server/port/guarded-server.ts";
import { listen } from "#server/port/listen.ts";

const [folder = "", token = ""] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const database = await openDatabase<RegistryTables & BlobTables & AccountTables & LeaseTables>({
  at: { file: join(folder, "records.db") },
  migrations: [...leaseMigrations, ...accountMigrations, ...blobMigrations, ...registryMigrations],
});
const log = { ...consoleLog, info() {}, debug() {} };
const accounts = createAccounts({
  database,
  origin: "http://localhost",
  version: "0",
  log,
  secretKey: new Uint8Array(32),
});
await setOwnerToken(accounts, token);
const actor = await identify(accounts, { bearer: token }, null);
const { name } = await createProject(accounts, { actor, address: "127.0.0.1" }, { name: "web" });
const store = await openDiskStore(join(folder, "blobs"));
const collector = startCollector({ database, store, log });
const blobs = createBlobs({ database, store, onDropped: collector.wake });
const registry = createRegistry({ accounts, database, blobs, store, log, quotaBytes: 1e13 });
const { server, connections } = createGuardedServer({ trustedProxies: ["127.0.0.1"] });
const callers = createCallers(accounts, { rateLimitFactor: 0 });
const traffic = createRegistryTraffic();
const { admitUpload } = connections;
const handle = createRegistryHandler({ registry, callers, traffic, log, admitUpload });
await listen(new Hono(), "127.0.0.1", 0, { server, connections, rooms: [{ prefix: "/v2/", handle }] });
const address = server.address();
const organization = await database.db.selectFrom("organizations").select("name").executeTakeFirstOrThrow();
process.send?.({
  port: typeof address === "object" ? address?.port : 0,
  repository: `${organization.name}/${name}`,
});
process.on("disconnect", () => process.exit(0));
