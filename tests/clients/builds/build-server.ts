/** A server with everything that builds need, on a port and in a folder of its own: API, registry, builders. */
import { once } from "node:events";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import type { Accounts } from "#accounts/index.ts";
import { createGrpcHandler } from "#platform/grpc/handler.ts";
import { createHealthService } from "#platform/grpc/health.ts";
import type { Log } from "#platform/log/log.ts";
import { parseEnvironment } from "#server/environment.ts";
import { openCertificate } from "#server/port/certificate.ts";
import { listen } from "#server/port/listen.ts";
import { grpcOf, waysOf } from "#server/room-ways.ts";
import { openRecordRooms } from "#server/testing/records.ts";
import { ProtocolServer } from "#server/port/protocols.ts";

export const OWNER_TOKEN = "mr_user_for-tests-only-0123456789-abcdef";

export interface BuildServer {
  /** `http://localhost:…`; images are named by its host. */
  origin: string;
  port: number;
  folder: string;
  logged: string[];
  /** How many tunnels were asked for. */
  tunnels: () => number;
  accounts: Accounts;
  /** @param method `BuildService/GetBuild` */
  call: (method: string, request: object, token?: string) => Promise<Answer>;
  close: () => Promise<void>;
}

export interface Answer {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the server answers
  body: any;
}

export interface BuildServerOptions {
  /** Created if missing; kept, for a later server. */
  folder?: string;
  env?: Record<string, string>;
  /** The port of a former server. */
  port?: number;
}

export async function startBuildServer(options: BuildServerOptions = {}): Promise<BuildServer> {
  // Layers need a disk whose files can be laid over each other.
  const folder = options.folder ?? (await realpath(await mkdtemp(join(tmpdir(), "build-server-"))));
  await mkdir(folder, { recursive: true });
  const port = options.port ?? (await findPort());
  const env = parseEnvironment({
    PORT: String(port),
    DATA_DIR: folder,
    MILLRACE_OWNER_TOKEN: OWNER_TOKEN,
    RATE_LIMIT_FACTOR: "0",
    ...options.env,
  });
  const logged: string[] = [];
  const note = (message: string, fields?: object) =>
    void logged.push(
      `${message} ${JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? value.stack : value))}`,
    );
  const log: Log = { debug() {}, info() {}, warn: note, error: note, writes: () => true, flush() {} };
  const opened = await openRecordRooms(env, { log });
  const app = new Hono();
  app.mount("/", (request, ...rest) => opened.api.fetch(request, ...rest));
  let tunnels = 0;
  const { tlsName, upgrade, rooms } = waysOf(opened.rooms);
  const server = await listen(app, env.HOST, port, {
    server: new ProtocolServer({
      ...(env.TLS_CERT &&
        env.TLS_KEY && { certificate: openCertificate({ certFile: env.TLS_CERT, keyFile: env.TLS_KEY }) }),
    }),
    ...(tlsName && { tlsName }),
    ...(upgrade && {
      upgrade: {
        ...upgrade,
        take(...asked: Parameters<typeof upgrade.take>) {
          tunnels += 1;
          upgrade.take(...asked);
        },
      },
    }),
    grpc: createGrpcHandler(grpcOf(opened.rooms, createHealthService())),
    rooms,
  });
  const origin = env.SITE_ORIGIN;
  return {
    origin,
    port,
    folder,
    logged,
    tunnels: () => tunnels,
    accounts: opened.accounts,
    // Not through the proxy in front of it.
    call: createCall(env.TLS_CERT ? origin : `http://localhost:${port}`),
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const { end } of opened.rooms) end();
      await opened.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
      await closed;
      if (!options.folder) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Calls a server that may be in another process. */
export function createCall(origin: string): BuildServer["call"] {
  return async (method, request, token = OWNER_TOKEN) => {
    const response = await fetch(`${origin}/api/millrace.v1.${method}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(request),
    });
    return { status: response.status, body: await response.json() };
  };
}

export async function findPort(): Promise<number> {
  const server = createServer().listen(0, "localhost");
  await once(server, "listening");
  // It listens on a port.
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
