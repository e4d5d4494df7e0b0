/** For tests with stock clients, and measurements: the builders' port, and the certificate of one build. */
import { randomBytes } from "node:crypto";
import { consoleLog } from "#platform/log/log.ts";
import { createSeenFiles, type SeenFiles } from "../context/seen-files.ts";
import { makeAuthority, openAuthority } from "../certificates/certificates.ts";
import { createTunnelTokens } from "../certificates/tunnel-tokens.ts";
import { type BuildProxy, createBuildProxy } from "../proxy/create-build-proxy.ts";
import type { SolveSummary } from "../proxy/solve-rules.ts";

const HOUR_MS = 60 * 60 * 1000;

export interface TestPort {
  proxy: BuildProxy;
  /** Solves that were let through. */
  solves: SolveSummary[];
  /** Bytes received in sessions. */
  received: () => number;
  connections: () => number;
  seen: SeenFiles;
  /** As PEM. */
  files: { ca: string; cert: string; key: string };
}

/** An authority of no server. @public for tests/attack */
export const makeForeignAuthority = () => makeAuthority(new Date());

/**
 * Gives one build access to the builder at a socket; it may push and has no entitlements.
 * @public for tests of clients and bench/builds-context.ts
 */
export async function openTestPort(socket: string, buildId: string): Promise<TestPort> {
  const authority = await openAuthority(await makeAuthority(new Date()));
  const solves: SolveSummary[] = [];
  const seen = createSeenFiles();
  const counts = { received: 0, connections: 0 };
  const live = {
    organizationId: "org_a",
    socket,
    rules: { entitlements: new Set<string>(), mayPush: true },
    onSolve: async (solve: SolveSummary) => void solves.push(solve),
    onFrontend: async () => undefined,
    seen,
    onSecret: () => undefined,
    onUnread: () => undefined,
    onRefused: () => undefined,
    onReceived: (bytes: number) => void (counts.received += bytes),
    onConnections: (open: number) => void (counts.connections = open),
  };
  const proxy = await createBuildProxy({
    authority,
    hosts: ["localhost", "127.0.0.1"],
    tunnelTokens: createTunnelTokens(randomBytes(32), Date.now),
    listen: { host: "127.0.0.1", port: 0 },
    log: { ...consoleLog, info: () => undefined },
    findBuild: (id) => (id === buildId ? live : null),
  });
  const client = await authority.signClient(buildId, "linux/amd64", new Date(Date.now() + HOUR_MS));
  return {
    proxy,
    solves,
    received: () => counts.received,
    connections: () => counts.connections,
    seen,
    files: { ca: authority.certificate, cert: client.certificate, key: client.key },
  };
}
