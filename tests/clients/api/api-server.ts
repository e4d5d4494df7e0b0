/** The API on a port of its own, as the server mounts it: JSON, Connect, gRPC-Web and gRPC. */
import type { AddressInfo } from "node:net";
import { Hono } from "hono";
import {
  accountMigrations,
  type Accounts,
  type AccountTables,
  type Callers,
  createAccounts,
  createCallers,
  setOwnerToken,
} from "#accounts/index.ts";
import { apiMigrations, createApi } from "#api/index.ts";
import { openDatabase } from "#platform/database/database.ts";
import { leaseMigrations, type LeaseTables } from "#platform/database/lease.ts";
import { createGrpcHandler } from "#platform/grpc/handler.ts";
import { listen } from "#server/port/listen.ts";

export const OWNER_TOKEN = "mr_user_for-tests-only-0123456789-abcdef";

export interface RunningApi extends AsyncDisposable {
  origin: string;
  port: number;
  accounts: Accounts;
}

export interface StartOptions {
  /** Further routes. */
  pages?: Hono;
  /** SQLite's file. Default: in memory. */
  file?: string | null;
  /** Counts calls. */
  takeCall?: Callers["takeCall"];
}

export async function startApi({
  pages = new Hono(),
  file = null,
  takeCall,
}: StartOptions = {}): Promise<RunningApi> {
  const database = await openDatabase<AccountTables & LeaseTables>({
    at: { file },
    migrations: [...leaseMigrations, ...accountMigrations, ...apiMigrations],
  });
  const accounts = createAccounts({
    database,
    origin: "http://localhost:3000",
    version: "1.2.3",
    log: { debug() {}, info() {}, warn: console.warn, error: console.error, writes: () => false, flush() {} },
    secretKey: new Uint8Array(32),
  });
  await setOwnerToken(accounts, OWNER_TOKEN);
  const callers = createCallers(accounts, takeCall && { takeCall });
  const api = createApi(accounts, { callers });
  const app = new Hono();
  app.mount("/", (request, ...rest) =>
    new URL(request.url).pathname.startsWith("/api/")
      ? api.app.fetch(request, ...rest)
      : pages.fetch(request, ...rest),
  );
  const server = await listen(app, "127.0.0.1", 0, {
    grpc: createGrpcHandler({ routes: (router) => api.routes(router) }),
  });
  // It listens on a port.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    accounts,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
      await api.close();
      await accounts.close();
      await database.close();
    },
  };
}
