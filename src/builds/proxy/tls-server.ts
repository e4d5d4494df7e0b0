/** Ends the clients' TLS, whichever way they came: through its own port, the port that everything else uses, or a tunnel. */
import { once } from "node:events";
import { createServer as createPort, type Server as Port, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer, type Server, type TLSSocket } from "node:tls";
import type { Log } from "#platform/log/log.ts";
import type { Authority } from "../certificates/certificates.ts";
import { keepSigned } from "../certificates/keep-signed.ts";
import { HANDSHAKE_MS, MAX_CONNECTIONS, MAX_HANDSHAKES, SERVER_CERTIFICATE_MS } from "./limits.ts";

export interface TlsServer {
  /** Its own port; null: it has none. */
  port: number | null;
  /** Takes a connection, and ends it unless it shows a certificate in time. */
  accept: (stream: Duplex) => void;
  /** Accepts no more connections; resolves when all have ended. */
  close: () => Promise<void>;
}

export interface TlsServerOptions {
  authority: Authority;
  /** Names and addresses that clients know it by. */
  hosts: readonly string[];
  /** Its own port; 0: any free port. */
  listen?: { host: string; port: number } | undefined;
  log: Log;
}

/** Called for a client whose certificate is from the authority, for clients, and has not expired. */
type OnClient = (socket: TLSSocket, isInTunnel: boolean) => void;

export async function createTlsServer(
  { authority, hosts, listen, log }: TlsServerOptions,
  onClient: OnClient,
): Promise<TlsServer> {
  const context = await keepSigned({
    what: "the builder endpoint",
    log,
    async sign(now) {
      const { certificate, key } = await authority.signServer(hosts, new Date(now + SERVER_CERTIFICATE_MS));
      return { key, cert: certificate, ca: authority.certificate, minVersion: "TLSv1.3" as const };
    },
  });
  // It never listens: connections are handed to it.
  const server = createServer({
    ...context.first,
    requestCert: true,
    rejectUnauthorized: true,
    ALPNProtocols: ["h2"],
    handshakeTimeout: HANDSHAKE_MS,
  });
  context.onRenewed((renewed) => server.setSecureContext(renewed));
  const all = boundConnections(server, onClient, log);
  const port = listen && (await openPort(listen, all.accept));
  return {
    port: port ? portOf(port) : null,
    accept: all.accept,
    async close() {
      context.stop();
      port?.close();
      await all.close();
    },
  };
}

async function openPort(
  { host, port }: { host: string; port: number },
  accept: TlsServer["accept"],
): Promise<Port> {
  const opened = createPort(accept).listen(port, host);
  await once(opened, "listening");
  return opened;
}

function portOf(port: Port): number {
  const address = port.address();
  return address !== null && typeof address === "object" ? address.port : 0;
}

/** Limits connections without a certificate, so that clients that only connect do not keep others out. Tunnels have shown their build. */
function boundConnections(server: Server, onClient: OnClient, log: Log) {
  const open = new Set<Duplex>();
  const strangers = new Map<string, Socket>();
  let isClosing = false;
  let onEmpty = () => {};
  const forget = (stream: Duplex) => {
    open.delete(stream);
    if (open.size === 0) onEmpty();
  };
  function addStranger(socket: Socket): void {
    const name = nameOf(socket);
    strangers.set(name, socket);
    // Its client may have reconnected from the same port.
    socket.once("close", () => strangers.get(name) === socket && strangers.delete(name));
    if (strangers.size <= MAX_HANDSHAKES) return;
    const [oldest] = strangers.values();
    oldest?.destroy();
  }
  server.on("secureConnection", (socket) => {
    strangers.delete(nameOf(socket));
    // A socket around a tunnel has no address.
    onClient(socket, socket.remotePort === undefined);
  });
  server.on("tlsClientError", (error, socket) => {
    // A socket that was handed over is not ended by anything else.
    socket.destroy();
    if (log.writes("debug")) log.debug("a client of the builder endpoint was refused", { error });
  });
  return {
    accept(stream: Duplex): void {
      if (isClosing || open.size >= MAX_CONNECTIONS + MAX_HANDSHAKES) return void stream.destroy();
      open.add(stream);
      stream.once("close", () => forget(stream)).on("error", () => undefined);
      if (stream instanceof Socket) addStranger(stream);
      server.emit("connection", stream);
    },
    async close(): Promise<void> {
      isClosing = true;
      for (const socket of strangers.values()) socket.destroy();
      if (open.size > 0) await new Promise<void>((resolve) => (onEmpty = resolve));
    },
  };
}

/** Gives the same name for a socket and the TLS socket around it. */
const nameOf = ({ remoteAddress, remotePort, localPort }: Socket) =>
  `${remoteAddress} ${remotePort} ${localPort}`;
