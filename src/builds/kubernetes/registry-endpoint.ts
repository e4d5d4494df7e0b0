/**
 * The port at which builders in a cluster reach this server's registry, with mutual TLS, behind a Service. A builder's certificate
 * names its project, as the internal listener does on a single machine.
 */
import { once } from "node:events";
import { Server } from "node:net";
import { createServer } from "node:tls";
import type { Log } from "#platform/log/log.ts";
import { type Authority, readBuilderName } from "../certificates/certificates.ts";
import { keepSigned } from "../certificates/keep-signed.ts";
import type { BuildersOptions } from "../machine/machine.ts";
import { CERTIFICATE_MS, HANDSHAKE_MS, MAX_CONNECTIONS } from "./limits.ts";

export interface RegistryEndpointOptions {
  authority: Pick<Authority, "certificate" | "signServer">;
  /** `millrace-registry.millrace.svc:8373` */
  inside: string;
  host: string;
  listen: BuildersOptions["listen"];
  log: Log;
}

/** @throws Error when the port is taken */
export async function openRegistryEndpoint(
  options: RegistryEndpointOptions,
): Promise<{ close: () => Promise<void> }> {
  const { authority, inside, host, listen, log } = options;
  const { hostname, port } = new URL(`https://${inside}`);
  const context = await keepSigned({
    what: "the builders' registry",
    log,
    async sign(now) {
      const { certificate, key } = await authority.signServer([hostname], new Date(now + CERTIFICATE_MS));
      return { key, cert: certificate, ca: authority.certificate, minVersion: "TLSv1.3" as const };
    },
  });
  const rooms = new Map<string, Server>();
  const roomOf = (whose: { organizationId: string; projectId: string }): Server => {
    const found = rooms.get(whose.projectId);
    if (found) return found;
    // Does not listen: connections are handed to it.
    const room = new Server();
    listen(room, whose);
    rooms.set(whose.projectId, room);
    return room;
  };
  const server = createServer(
    {
      ...context.first,
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ["http/1.1"],
      handshakeTimeout: HANDSHAKE_MS,
    },
    (socket) => {
      const whose = readBuilderName(socket.getPeerCertificate().subject?.CN);
      socket.on("error", () => socket.destroy());
      if (whose) roomOf(whose).emit("connection", socket);
      else socket.destroy();
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.on("connection", (socket: { on: (event: "error", listener: () => void) => void }) =>
    socket.on("error", () => undefined),
  );
  context.onRenewed((renewed) => server.setSecureContext(renewed));
  server.listen(Number(port || 443), host);
  await once(server, "listening");
  return {
    async close() {
      context.stop();
      const closed = once(server, "close");
      server.close();
      for (const room of rooms.values()) room.emit("close");
      await closed;
    },
  };
}
