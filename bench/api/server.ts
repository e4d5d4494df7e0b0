/**
 * A server in a process of its own: `api` is ours, with accounts in SQLite; `hello` is Connect on Node's servers, whose
 * methods answer a constant without looking up the caller. Answers `cpu` with the CPU time that it has used.
 */
import { createServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { mkdtempSync } from "node:fs";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import {
  accountMigrations,
  type AccountTables,
  createAccounts,
  createProject,
  identify,
  setOwnerToken,
} from "#accounts/index.ts";
import { AccountService } from "#api/gen/millrace/v1/account_service_pb.ts";
import { ProjectService } from "#api/gen/millrace/v1/project_service_pb.ts";
import { apiMigrations, createApi } from "#api/index.ts";
import { openDatabase } from "#platform/database/database.ts";
import { leaseMigrations, type LeaseTables } from "#platform/database/lease.ts";
import { createGrpcHandler } from "#platform/grpc/handler.ts";
import { consoleLog } from "#platform/log/log.ts";
import { listen } from "#server/port/listen.ts";

const [mode = "api", token = ""] = process.argv.slice(2);
const PROJECTS = 20;
const quiet = { ...consoleLog, info: () => {} };

async function startApi() {
  const database = await openDatabase<AccountTables & LeaseTables>({
    at: { file: join(mkdtempSync(join(tmpdir(), "bench-api-")), "millrace.db") },
    migrations: [...leaseMigrations, ...accountMigrations, ...apiMigrations],
  });
  const origin = "http://localhost";
  const secretKey = new Uint8Array(32);
  const accounts = createAccounts({ database, origin, version: "1.2.3", log: quiet, secretKey });
  await setOwnerToken(accounts, token);
  const caller = { actor: await identify(accounts, { bearer: token }), address: "" };
  for (let index = 0; index < PROJECTS; index += 1)
    await createProject(accounts, caller, { name: `project-${index}` });
  const api = createApi(accounts);
  const server = await listen(api.app, "127.0.0.1", 0, { grpc: createGrpcHandler({ routes: api.routes }) });
  const port = portOf(server);
  return { json: port, grpc: port };
}

async function startHello() {
  const project = {
    id: "prj_0000000000",
    name: "project",
    builderSize: 4,
    cacheSizeBytes: 50n,
    retentionDays: 14,
  };
  const handler = connectNodeAdapter({
    routes: (router) =>
      router
        .service(AccountService, {
          whoAmI: () => ({ server: "http://localhost", user: "owner", role: "owner" }),
        })
        .service(ProjectService, {
          list: () => ({ projects: Array.from({ length: PROJECTS }, () => project) }),
        }),
    jsonOptions: { useProtoFieldName: true, alwaysEmitImplicit: true },
  });
  const listening = (server: Server) =>
    new Promise<number>((resolve) => server.listen(0, "127.0.0.1", () => resolve(portOf(server))));
  return { json: await listening(createServer(handler)), grpc: await listening(createHttp2Server(handler)) };
}

// It listens on a port.
const portOf = (server: Server) => (server.address() as AddressInfo).port;

const ports = await (mode === "api" ? startApi() : startHello());
process.on("message", (message) => {
  if (message !== "cpu") return;
  const { user, system } = process.cpuUsage();
  const cpuMs = (user + system) / 1000;
  globalThis.gc?.();
  process.send?.({ cpuMs, heapMegabytes: process.memoryUsage().heapUsed / 1024 ** 2 });
});
process.on("disconnect", () => process.exit());
process.send?.(ports);
