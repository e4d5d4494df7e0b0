/**
 * The cache as in the server: one guarded port, HTTP and gRPC, SQLite and a folder. Its first argument is the folder, its second
 * the number of entries that the index starts with.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Hono } from "hono";
import {
  accountMigrations,
  createAccounts,
  createCallers,
  identify,
  setOwnerToken,
} from "#accounts/index.ts";
import {
  cacheMigrations,
  type CacheTables,
  completeActionResult,
  createCache,
  createCacheHandler,
  createProtocols,
  createReapi,
  createTraffic,
} from "#cache/index.ts";
import type { AccountTables } from "#accounts/index.ts";
import { createBlobs } from "#platform/blobs/blobs.ts";
import { startCollector } from "#platform/blobs/collect.ts";
import { openDiskStore } from "#platform/blobs/disk-store.ts";
import { blobMigrations, type BlobTables } from "#platform/blobs/schema.ts";
import { openDatabase } from "#platform/database/database.ts";
import { leaseMigrations, type LeaseTables } from "#platform/database/lease.ts";
import { createGrpcHandler } from "#platform/grpc/handler.ts";
import { consoleLog } from "#platform/log/log.ts";
import { createGuardedServer } from "#server/port/guarded-server.ts";
import { listen } from "#server/port/listen.ts";
import { fillIndex } from "./fill-index.ts";

const [folder = "", token = "", entries = "0"] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const file = join(folder, "records.db");
const database = await openDatabase<CacheTables & BlobTables & AccountTables & LeaseTables>({
  at: { file },
  migrations: [...leaseMigrations, ...accountMigrations, ...blobMigrations, ...cacheMigrations],
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
const store = await openDiskStore(join(folder, "blobs"));
const collector = startCollector({ database, store, log });
const blobs = createBlobs({ database, store, onDropped: collector.wake });
const cache = createCache({ accounts, database, blobs, log });
if (entries !== "0") {
  const actor = await identify(accounts, { bearer: token }, null);
  const { writes } = await cache.grant(actor, "bazel", "write");
  await fillIndex(database, writes ?? "", Number(entries));
}
const { server, connections } = createGuardedServer({ trustedProxies: ["127.0.0.1"] });
const callers = createCallers(accounts, { rateLimitFactor: 0 });
const traffic = createTraffic();
const reapi = createReapi(cache, { callers, traffic, log });
const protocols = createProtocols(completeActionResult);
await listen(new Hono(), "127.0.0.1", 0, {
  server,
  connections,
  grpc: createGrpcHandler({
    routes: () => {},
    raw: reapi.answer,
    admitUpload: connections.admitUpload,
  }),
  rooms: [
    {
      prefix: "/cache/",
      handle: createCacheHandler({
        cache,
        callers,
        protocols,
        traffic,
        log,
        admitUpload: connections.admitUpload,
      }),
    },
  ],
});
const address = server.address();
process.send?.({ port: typeof address === "object" ? address?.port : 0 });
process.on("disconnect", () => process.exit(0));
