/**
 * Tunnels to the builder endpoint through any proxy in front of the port that everything else uses: a WebSocket whose bytes are the
 * clients' own TLS. A proxy that ends TLS sees neither keys nor contexts, and the certificate inside identifies the client.
 *
 *   GET /builders/connect, Upgrade: websocket, Authorization: Bearer <the build's tunnel_token> ──► 101 ──► TLS ──► the endpoint
 *
 * No WebSocket ping keeps a silent tunnel open: the endpoint pings the client every 20 seconds, in HTTP/2.
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Log } from "#platform/log/log.ts";
import { WebSocketServer } from "ws";
import type { BuildWays } from "../contract/builder-endpoint.ts";
import type { TunnelTokens } from "../certificates/tunnel-tokens.ts";
import { createCounts } from "./counts.ts";
import type { ConnectionSlots } from "./connection-slots.ts";
import { MAX_BUILD_CONNECTIONS, TUNNEL_FRAME_BYTES } from "./limits.ts";
import { TunnelStream } from "./tunnel-stream.ts";

export interface TunnelsOptions {
  tokens: TunnelTokens;
  slots: ConnectionSlots;
  /** The organization of a build; null: no server has it, or it has ended. */
  findOwner: (buildId: string, platform: string) => Promise<string | null>;
  accept: (stream: Duplex) => void;
  /** Whether it accepts no more tunnels. */
  isClosing: () => boolean;
  log: Log;
}

type Refusal = readonly [status: string, message: string];

const REFUSALS = {
  page: ["403 Forbidden", "Web pages cannot open tunnels to builders."],
  token: ["401 Unauthorized", "The tunnel_token of a build is missing, wrong or expired."],
  ended: ["410 Gone", "This build has ended: start another."],
  crowded: ["429 Too Many Requests", "This build has too many tunnels."],
  closing: ["503 Service Unavailable", "The server is closing: run the build again."],
} as const satisfies { [why: string]: Refusal };

/** @returns a handler for tunnel requests; `head` is the bytes after the request */
export function createTunnels({
  tokens,
  slots,
  findOwner,
  accept,
  isClosing,
  log,
}: TunnelsOptions): BuildWays["takeTunnel"] {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: TUNNEL_FRAME_BYTES,
    // Pongs to a client that does not read them would fill the memory; our own clients send no pings.
    autoPong: false,
  });
  const open = createCounts();

  /** @returns the organization of the build, or why there is no tunnel */
  async function judge({ headers, socket }: IncomingMessage, key: string | null): Promise<Refusal | string> {
    if (headers.origin !== undefined) return REFUSALS.page;
    if (key === null) return REFUSALS.token;
    if (isClosing()) return REFUSALS.closing;
    if (open.of(key) > MAX_BUILD_CONNECTIONS) return REFUSALS.crowded;
    const [buildId = "", platform = ""] = key.split(" ");
    const owner = await findOwner(buildId, platform);
    if (owner === null) return REFUSALS.ended;
    return slots.hold(socket, owner) ? owner : REFUSALS.crowded;
  }

  async function take(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const build = tokens.read(bearerOf(request));
    const key = build && `${build.buildId} ${build.platform}`;
    if (key !== null) socket.once("close", open.add(key));
    const owner = await judge(request, key);
    if (socket.destroyed) return;
    if (typeof owner !== "string") return refuse(socket, owner);
    server.handleUpgrade(request, socket, head, (webSocket) => accept(new TunnelStream(webSocket, owner)));
  }

  return (request, socket, head) => {
    socket.on("error", () => undefined);
    take(request, socket, head).catch((error: unknown) => {
      log.warn("could not open a tunnel to a builder", { error });
      socket.destroy();
    });
  };
}

const bearerOf = ({ headers }: IncomingMessage): string =>
  /^Bearer (\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";

function refuse(socket: Socket, [status, message]: Refusal): void {
  const body = `${message}\n`;
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}
