/**
 * The builder endpoint. A client shows the certificate of its build; its calls only go to the builder of that build, one by one, as
 * far as the build's token allows.
 *
 *   buildx, buildctl ── TLS 1.3, a certificate per build ──► here ── HTTP/2 on a unix socket ──► buildkitd of the project
 *
 * Three ways lead to it (decision 049): a tunnel (`tunnels.ts`), TLS for `BUILDER_SERVER_NAME` on the port of everything
 * else, a port of its own.
 *
 * buildx dials without ALPN, so HTTP/2 is assumed if a client names no protocol.
 */
import type { TLSSocket } from "node:tls";
import { REFUSED } from "#platform/fair/limits.ts";
import { createMessageRoom } from "#platform/grpc/message-room.ts";
import { type Authority, readBuildName } from "../certificates/certificates.ts";
import { BUILDER_SERVER_NAME, type BuildWays } from "../contract/builder-endpoint.ts";
import type { TunnelTokens } from "../certificates/tunnel-tokens.ts";
import { type BuilderNames, createNames } from "./claims.ts";
import { type Connection, serveConnection } from "./connection.ts";
import { type ConnectionSlots, createConnectionSlots, UNKNOWN } from "./connection-slots.ts";
import { JUDGED_BYTES, JUDGED_WAIT_MS, MAX_BUILD_CONNECTIONS, TOLD_AGAIN_MS } from "./limits.ts";
import type { Caller, FarBuild, ProxyBuild } from "./proxy-build.ts";
import { chargeHandshake } from "./pass-bytes.ts";
import { passOn } from "./relay.ts";
import { createTlsServer, type TlsServerOptions } from "./tls-server.ts";
import { createTunnels } from "./tunnels.ts";

export interface BuildProxyOptions extends TlsServerOptions {
  authority: Authority;
  tunnelTokens: TunnelTokens;
  /** Null: ended or unknown. Called for every call. */
  findBuild: (buildId: string, platform: string) => ProxyBuild | null;
  /** Finds a build that this server does not have; null: there is no record of it. */
  findElsewhere?: (buildId: string) => Promise<FarBuild | null>;
}

export interface BuildProxy extends BuildWays {
  /** Its own port; null: it has none. */
  port: number | null;
  /** Ends every connection and call of the build. @param reason for a client that is still waiting */
  cut: (buildId: string, reason?: string) => void;
  close: () => Promise<void>;
}

const CLOSING = "the server is closing: run the build again";

/** @public for the start of the room */
export async function createBuildProxy(options: BuildProxyOptions): Promise<BuildProxy> {
  const { log, authority, findBuild, findElsewhere } = options;
  const names = createNames();
  const room = createMessageRoom({ bytes: JUDGED_BYTES, share: JUDGED_BYTES / 2, waitMs: JUDGED_WAIT_MS });
  const open = new Map<string, Set<Connection>>();
  const cut = createCut(open, names);
  const slots = createConnectionSlots();
  const connectionLimit = createConnectionLimit(log, slots);
  let isClosing = false;

  const tls = await createTlsServer({ ...options, hosts: [...options.hosts, BUILDER_SERVER_NAME] }, accept);
  const takeTunnel = createTunnels({
    tokens: options.tunnelTokens,
    slots,
    findOwner: (buildId, platform) => findOwner(options, buildId, platform),
    isClosing: () => isClosing,
    accept: tls.accept,
    log,
  });

  function accept(socket: TLSSocket, isInTunnel: boolean): void {
    const name = readBuildName(socket.getPeerCertificate().subject?.CN);
    if (!name || !socket.authorized || isClosing) return void socket.destroy();
    const { buildId, platform } = name;
    const key = `${buildId} ${platform}`;
    const of = open.get(key) ?? new Set<Connection>();
    if (of.size >= MAX_BUILD_CONNECTIONS) return connectionLimit.refuse(socket, { build: key });
    const find = () => findBuild(buildId, platform);
    const live = find();
    const admit = (organizationId: string) => connectionLimit.admit(socket, organizationId, isInTunnel);
    if (!admit(live?.organizationId ?? UNKNOWN)) return;
    const caller: Caller = { buildId, platform, find, claimsAt: ({ socket: at }) => names.of(at, buildId) };
    const onClose = () => {
      of.delete(connection);
      if (live && of.size === 0) names.endSessions(live.socket, buildId);
      live?.onConnections(of.size);
      if (of.size > 0) return;
      open.delete(key);
      connectionLimit.forget(key);
    };
    const serving = { caller, room, log, onClose };
    const connection =
      live || !findElsewhere
        ? serveConnection(socket, serving)
        : passOn(socket, { ...serving, authority, findElsewhere, admit });
    open.set(key, of.add(connection));
    live?.onConnections(of.size);
  }

  return {
    port: tls.port,
    accept: tls.accept,
    takeTunnel,
    cut,
    async close() {
      isClosing = true;
      const closed = tls.close();
      for (const key of open.keys()) cut(key.split(" ")[0] ?? "", CLOSING);
      await closed;
    },
  };
}

const createCut =
  (open: ReadonlyMap<string, ReadonlySet<Connection>>, names: BuilderNames): BuildProxy["cut"] =>
  (buildId, reason = "the build has ended") => {
    for (const of of open.values())
      for (const connection of of) if (connection.caller.buildId === buildId) connection.cut(reason);
    names.end(buildId);
  };

/** Logs rarely, or a client that reconnects constantly would fill the log. */
function createConnectionLimit(log: BuildProxyOptions["log"], slots: ConnectionSlots) {
  const toldAt = new Map<string, number>();
  return {
    /** @returns false: its organization has too many connections, and this one is closed */
    admit(socket: TLSSocket, organization: string, isInTunnel: boolean): boolean {
      chargeHandshake(organization === UNKNOWN ? REFUSED : organization);
      // A tunnel already has its slot.
      const isAdmitted = isInTunnel || slots.hold(socket, organization);
      if (!isAdmitted) this.refuse(socket, { organization });
      return isAdmitted;
    },
    refuse(socket: TLSSocket, of: { build: string } | { organization: string }): void {
      socket.destroy();
      const [[what, key]] = Object.entries(of) as [[string, string]];
      const now = performance.now();
      if (now - (toldAt.get(key) ?? Number.NEGATIVE_INFINITY) < TOLD_AGAIN_MS) return;
      toldAt.set(key, now);
      log.warn(`too many connections for one ${what}`, of);
    },
    forget: (key: string) => void toldAt.delete(key),
  };
}

/** The organization of a build that runs here or on another server. */
async function findOwner(
  { findBuild, findElsewhere }: BuildProxyOptions,
  buildId: string,
  platform: string,
): Promise<string | null> {
  const live = findBuild(buildId, platform);
  if (live) return live.organizationId;
  const far = await findElsewhere?.(buildId);
  return far?.address ? far.organizationId : null;
}
