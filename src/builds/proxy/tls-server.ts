import { once } from "node:events";
import type { Socket } from "node:net";
import { createServer, type Server, type TLSSocket } from "node:tls";
import type { Log } from "#platform/log/log.ts";
import type { Authority } from "../certificates.ts";
import { HANDSHAKE_MS, MAX_CONNECTIONS, MAX_HANDSHAKES, RENEW_MS, SERVER_CERTIFICATE_MS } from "./limits.ts";

export interface TlsServer {
  port: number;
  /** Takes no more; resolves when all connections have ended. */
  close: () => Promise<void>;
}

interface TlsServerOptions {
  authority: Authority;
  hosts: readonly string[];
  host: string;
  port: number;
  log: Log;
}

/** @param onClient with a certificate of the authority that is for clients and has not expired */
export async function createTlsServer(
  { authority, hosts, host, port, log }: TlsServerOptions,
  onClient: (socket: TLSSocket) => void,
): Promise<TlsServer> {
  const makeContext = async () => {
    const { certificate, key } = await authority.signServer(
      hosts,
      new Date(Date.now() + SERVER_CERTIFICATE_MS),
    );
    return { key, cert: certificate, ca: authority.certificate, minVersion: "TLSv1.3" as const };
  };
  const server = createServer(
    {
      ...(await makeContext()),
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ["h2"],
      handshakeTimeout: HANDSHAKE_MS,
    },
    onClient,
  );
  const renewing = setInterval(() => {
    makeContext().then(
      (context) => server.setSecureContext(context),
      (error: unknown) => log.error("the certificate of the builders' port was not renewed", { error }),
    );
  }, RENEW_MS).unref();
  boundStrangers(server, log);
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  return {
    port: address !== null && typeof address === "object" ? address.port : port,
    async close() {
      clearInterval(renewing);
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}

/** Sockets without a certificate: who only connects does not keep others out. */
function boundStrangers(server: Server, log: Log): void {
  const strangers = new Map<string, Socket>();
  const nameOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  server.maxConnections = MAX_CONNECTIONS + MAX_HANDSHAKES;
  server.on("connection", (socket: Socket) => {
    const name = nameOf(socket);
    strangers.set(name, socket);
    socket.once("close", () => strangers.delete(name));
    socket.on("error", () => undefined);
    if (strangers.size <= MAX_HANDSHAKES) return;
    const [oldest] = strangers.values();
    oldest?.destroy();
  });
  server.on("secureConnection", (socket) => strangers.delete(nameOf(socket)));
  server.on("tlsClientError", (error, socket) => {
    strangers.delete(nameOf(socket));
    if (log.writes("debug")) log.debug("a client of the builders' port was refused", { error });
  });
}
