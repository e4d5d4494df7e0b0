/** Ends the clients' TLS, whichever way they came: by a port of its own, from the port of everything else, or in a tunnel. */
import { once } from "node:events";
import { createServer as createPort, type Server as Port, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer, type Server, type TLSSocket } from "node:tls";
import type { Log } from "#platform/log/log.ts";
import type { Authority } from "../certificates.ts";
import { keepSigned } from "../keep-signed.ts";
import { HANDSHAKE_MS, MAX_CONNECTIONS, MAX_HANDSHAKES, SERVER_CERTIFICATE_MS } from "./limits.ts";

export interface TlsServer {
  /** Of its own; null: it has none. */
  port: number | null;
  /** Takes a connection, and ends it when it shows no certificate in time. */
  accept: (stream: Duplex) => void;
  /** Takes no more; resolves when all connections have ended. */
  close: () => Promise<void>;
}

export interface TlsServerOptions {
  authority: Authority;
  /** That clients know it by: names and addresses. */
  hosts: readonly string[];
  /** Of the port of its own; 0: any that is free. */
  listen?: { host: string; port: number } | undefined;
  log: Log;
}

/** Of one with a certificate of the authority that is for clients and has not expired. */
type OnClient = (socket: TLSSocket, isInTunnel: boolean) => void;

export async function createTlsServer(
  { authority, hosts, listen, log }: TlsServerOptions,
  onClient: OnClient,
): Promise<TlsServer> {
  const context = await keepSigned({
    what: "the builders' door",
    log,
    async sign(now) {
      const { certificate, key } = await authority.signServer(hosts, new Date(now + SERVER_CERTIFICATE_MS));
      return { key, cert: certificate, ca: authority.certificate, minVersion: "TLSv1.3" as const };
    },
  });
  // It never listens: it is given its connections.
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

/** Those without a certificate: who only connects does not keep others out. What comes in a tunnel has shown whose it is. */
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
    // Its client may have come again from the same port.
    socket.once("close", () => strangers.get(name) === socket && strangers.delete(name));
    if (strangers.size <= MAX_HANDSHAKES) return;
    const [oldest] = strangers.values();
    oldest?.destroy();
  }
  server.on("secureConnection", (socket) => {
    strangers.delete(nameOf(socket));
    // Around a tunnel it has no address.
    onClient(socket, socket.remotePort === undefined);
  });
  server.on("tlsClientError", (error, socket) => {
    // Nobody else ends what was given to it.
    socket.destroy();
    if (log.writes("debug")) log.debug("a client of the builders' door was refused", { error });
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

/** The same for a socket and the TLS socket around it. */
const nameOf = ({ remoteAddress, remotePort, localPort }: Socket) =>
  `${remoteAddress} ${remotePort} ${localPort}`;
