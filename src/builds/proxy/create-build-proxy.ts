/**
 * The port of builders. A client shows the certificate of its build; what it asks goes to the builder of that build alone, call by
 * call, as far as the build's token reaches.
 *
 *   buildx, buildctl ── TLS 1.3, a certificate per build ──► here ── HTTP/2 on a unix socket ──► buildkitd of the project
 *
 * buildx dials without ALPN, so HTTP/2 is assumed where a client names no protocol.
 */
import type { TLSSocket } from "node:tls";
import { createMessageRoom } from "#platform/grpc/message-room.ts";
import type { Log } from "#platform/log/log.ts";
import { type Authority, readBuildName } from "../certificates.ts";
import { createNames } from "./claims.ts";
import { type Connection, serveConnection } from "./connection.ts";
import { JUDGED_BYTES, JUDGED_WAIT_MS, MAX_BUILD_CONNECTIONS } from "./limits.ts";
import type { Caller, LiveBuild } from "./live-build.ts";
import { passOn } from "./relay.ts";
import { createTlsServer } from "./tls-server.ts";

export interface BuildProxyOptions {
  authority: Authority;
  /** That clients know the port by: names and addresses. */
  hosts: readonly string[];
  host: string;
  /** 0: any that is free. */
  port: number;
  log: Log;
  /** Null: ended or unknown. Asked for every call. */
  findBuild: (buildId: string, platform: string) => LiveBuild | null;
  /** Of a build that another server has: that server's port, `10.0.1.11:8372`; null: none has it. */
  findElsewhere?: (buildId: string) => Promise<string | null>;
}

export interface BuildProxy {
  port: number;
  /** Ends every connection and call of the build. @param reason for a client that still waits */
  cut: (buildId: string, reason?: string) => void;
  close: () => Promise<void>;
}

/** @public for the start of the room */
export async function createBuildProxy(options: BuildProxyOptions): Promise<BuildProxy> {
  const { log, findBuild, findElsewhere } = options;
  const names = createNames();
  const room = createMessageRoom({ bytes: JUDGED_BYTES, waitMs: JUDGED_WAIT_MS });
  const open = new Map<string, Set<Connection>>();
  const crowded = new Set<string>();

  const tls = await createTlsServer(options, accept);

  function accept(socket: TLSSocket): void {
    const name = readBuildName(socket.getPeerCertificate().subject?.CN);
    if (!name || !socket.authorized) return void socket.destroy();
    const { buildId, platform } = name;
    const key = `${buildId} ${platform}`;
    const of = open.get(key) ?? new Set<Connection>();
    if (of.size >= MAX_BUILD_CONNECTIONS) {
      // Once, or who connects again and again fills the log.
      if (!crowded.has(key)) log.warn("a build has too many connections", { build: buildId });
      crowded.add(key);
      return void socket.destroy();
    }
    const find = () => findBuild(buildId, platform);
    const caller: Caller = { buildId, platform, find, claimsAt: (live) => names.of(live.socket, buildId) };
    const live = find();
    const onClose = () => {
      of.delete(connection);
      if (of.size === 0) {
        open.delete(key);
        crowded.delete(key);
      }
      if (live && of.size === 0) caller.claimsAt(live).endSessions();
      live?.onConnections(of.size);
    };
    const serving = { caller, room, log, onClose };
    const connection =
      live || !findElsewhere
        ? serveConnection(socket, serving)
        : passOn(socket, { ...serving, authority: options.authority, findElsewhere });
    open.set(key, of.add(connection));
    live?.onConnections(of.size);
  }

  function cut(buildId: string, reason = "the build has ended"): void {
    for (const of of open.values())
      for (const connection of of) if (connection.caller.buildId === buildId) connection.cut(reason);
    names.end(buildId);
  }

  return {
    port: tls.port,
    cut,
    async close() {
      const closed = tls.close();
      const all = new Set([...open.values()].flatMap((of) => [...of].map(({ caller }) => caller.buildId)));
      for (const buildId of all) cut(buildId, "the server is closing: run the build again");
      await closed;
    },
  };
}
