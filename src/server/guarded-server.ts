import { createServer, type Server } from "node:http";
import { createMatcher } from "../platform/http/client-address.ts";
import { type ConnectionGuard, guardConnections } from "../platform/http/connections.ts";
import { openFileCount, openFileLimit } from "../platform/http/open-files.ts";
import {
  connectionLimits,
  REQUESTS_PER_CONNECTION,
  SERVER_TIMES,
  SILENCE_TIMEOUT_MS,
  SWEEP_MS,
} from "./limits.ts";

export interface GuardedServer {
  server: Server;
  connections: ConnectionGuard;
}

export interface GuardedServerOptions {
  /** What comes from these addresses and networks is not one client. */
  trustedProxies?: readonly string[];
  /** Default: `SERVER_TIMES`, and the time in which a reader must take something of an answer. */
  times?: Partial<typeof SERVER_TIMES> & { unreadMs?: number };
}

/**
 * A server whose connections are bounded in number, time and memory. Called when everything else is open: as many
 * connections are allowed as there are files left to open.
 */
export function createGuardedServer({
  trustedProxies = [],
  times,
}: GuardedServerOptions = {}): GuardedServer {
  const server = createServer({ ...SERVER_TIMES, ...times });
  server.timeout = SILENCE_TIMEOUT_MS;
  server.maxRequestsPerSocket = REQUESTS_PER_CONNECTION;
  const limits = connectionLimits(openFileLimit(), openFileCount());
  if (times?.unreadMs) limits.unreadMs = times.unreadMs;
  const connections = guardConnections(server, { limits, isExempt: createMatcher(trustedProxies) });
  const sweep = setInterval(connections.sweep, Math.min(SWEEP_MS, limits.unreadMs / 4)).unref();
  server.once("close", () => clearInterval(sweep));
  return { server, connections };
}
