import { createMatcher } from "#platform/http/addresses/client-address.ts";
import type { ConnectionLimits } from "#platform/http/connections/connection-limits.ts";
import { type ConnectionGuard, guardConnections } from "#platform/http/connections/connections.ts";
import { openFileCount, openFileLimit } from "#platform/http/connections/open-files.ts";
import type { Certificate } from "./certificate.ts";
import {
  connectionLimits,
  REQUESTS_PER_CONNECTION,
  SERVER_TIMES,
  SILENCE_TIMEOUT_MS,
  SWEEP_MS,
} from "../limits.ts";
import { ProtocolServer } from "./protocols.ts";

export interface GuardedServer {
  server: ProtocolServer;
  connections: ConnectionGuard;
}

export interface GuardedServerOptions {
  /** Connections from these addresses and networks do not count as one client. */
  trustedProxies?: readonly string[];
  /** Enables TLS. */
  certificate?: Certificate;
  /** Default: `SERVER_TIMES`, and the time limit for a reader to take something of an answer. */
  times?: Partial<typeof SERVER_TIMES> &
    Partial<Pick<ConnectionLimits, "unreadMs" | "silenceMs" | "uploadMs" | "uploadWindowMs">>;
}

/**
 * A server whose connections are bounded in number, time and memory. Call it last, since it allows as many connections as there
 * are files left to open.
 */
export function createGuardedServer({
  trustedProxies = [],
  certificate,
  times,
}: GuardedServerOptions = {}): GuardedServer {
  const all = { ...SERVER_TIMES, ...times };
  const server = new ProtocolServer({
    // The guard enforces it, because some requests may take longer than others.
    http1: { ...all, requestTimeout: 0 },
    firstBytesMs: all.headersTimeout,
    ...(certificate && { certificate }),
  });
  server.http1.timeout = SILENCE_TIMEOUT_MS;
  server.http1.maxRequestsPerSocket = REQUESTS_PER_CONNECTION;
  const limits = {
    ...connectionLimits(openFileLimit(), openFileCount()),
    requestMs: all.requestTimeout,
    idleMs: all.keepAliveTimeout,
    ...(times?.unreadMs && { unreadMs: times.unreadMs }),
    ...(times?.silenceMs && { silenceMs: times.silenceMs }),
    ...(times?.uploadMs && { uploadMs: times.uploadMs }),
    ...(times?.uploadWindowMs && { uploadWindowMs: times.uploadWindowMs }),
  };
  const connections = guardConnections(server, {
    limits,
    isExempt: createMatcher(trustedProxies),
    isTls: certificate !== undefined,
  });
  server.onCarrier("secure", connections.secure);
  server.onCarrier("session", connections.begin);
  const shortest = Math.min(
    limits.unreadMs,
    limits.requestMs,
    limits.idleMs,
    limits.silenceMs,
    limits.uploadWindowMs,
  );
  const sweep = setInterval(connections.sweep, Math.min(SWEEP_MS, shortest / 4)).unref();
  server.once("close", () => clearInterval(sweep));
  return { server, connections };
}
