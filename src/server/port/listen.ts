/** Listens on one port, whose requests go to gRPC, to a room that answers on its own, to a middleware, or to the application. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Http2ServerRequest } from "node:http2";
import { createServer as createPortProbe, type Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { Handler, NodeHandler, TlsName, Upgrade } from "#platform/house/room.ts";
import type { ConnectionGuard } from "#platform/http/connections/connections.ts";
import { hasOneHost } from "#platform/http/connections/one-host.ts";
import { ProtocolServer } from "./protocols.ts";

const BAD_REQUEST = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/** Answers a request itself or calls `next`, like Vite's development server. */
type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Answers every request whose address begins with `prefix`. */
export interface RoomHandler extends Pick<Handler, "prefix"> {
  handle: NodeHandler;
}

/** Protocols other than HTTP. */
interface OtherProtocols {
  /** A client that requests WebSocket at another path gets the answer to a plain request. */
  upgrade?: Upgrade;
  tlsName?: TlsName;
}

export interface ListenOptions extends OtherProtocols {
  /** Tried before the application. */
  before?: Middleware;
  /** Default: a new one, without TLS. */
  server?: ProtocolServer;
  /** Guards the connections of `server`. */
  connections?: ConnectionGuard;
  /** Answers every request whose `content-type` is gRPC's (`application/grpc`, `application/grpc-web+proto`, …). */
  grpc?: NodeHandler;
  /** Rooms that answer without the framework, and let waiting clients send the body. */
  rooms?: readonly RoomHandler[] | undefined;
}

/**
 * Listens and resolves once requests are answered.
 * @throws the system's error (`EADDRINUSE`, `EACCES`, …) when it cannot listen.
 */
export function listen(
  app: Hono,
  host: string,
  port: number,
  options: ListenOptions = {},
): Promise<ProtocolServer> {
  const { server = new ProtocolServer(), connections } = options;
  const answer = createDispatcher(app, options);
  const onRequest: NodeHandler = (request, response) => {
    if (connections && !connections.admit(request, response)) return;
    answer(request, response);
  };
  for (const each of [server.http1, server.http2]) {
    each.on("request", onRequest);
    // A client that asks for permission before it sends a body does not get it if the request is refused.
    each.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
      if (connections && !connections.admit(request, response)) return;
      if (!roomOf(request, options.rooms)) response.writeContinue();
      answer(request, response);
    });
  }
  openOthers(server, options);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
  });
}

function openOthers(server: ProtocolServer, { connections, upgrade, tlsName }: ListenOptions): void {
  const isAdmitted = (socket: Socket) => {
    if (!connections || connections.admitOther(socket)) return true;
    socket.destroy();
    return false;
  };
  if (upgrade)
    server.takeUpgrades(upgrade.path, (request, socket, head) => {
      if (hasOneHost(request)) return void (isAdmitted(socket) && upgrade.take(request, socket, head));
      socket.on("error", () => {}).write(BAD_REQUEST);
      socket.destroySoon();
    });
  if (tlsName)
    server.takeTlsName({
      ...tlsName,
      accept: (socket) => void (isAdmitted(socket) && tlsName.accept(socket)),
    });
}

/** Rejects with the system's error when the address cannot be listened on; call it before a long build. */
export function probePort(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createPortProbe();
    probe.once("error", reject);
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

function createDispatcher(app: Hono, { before, grpc, rooms }: ListenOptions): NodeHandler {
  // The library's own, faster Response lacks features of Node's, and a server that compiles pages runs third-party code.
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: !before });
  return (request, response) => {
    if (request instanceof Http2ServerRequest) nameHost(request);
    if (grpc && isGrpc(request.headers["content-type"])) return grpc(request, response);
    const room = roomOf(request, rooms);
    if (room) return room.handle(request, response);
    if (!before) return void answer(request, response);
    // Vite's middleware is typed for HTTP/1.1 and serves both.
    before(request as IncomingMessage, response as ServerResponse, () => void answer(request, response));
  };
}

const roomOf = ({ url = "" }: { url?: string | undefined }, rooms: readonly RoomHandler[] = []) =>
  rooms.find(({ prefix }) => url.startsWith(prefix));

function isGrpc(type: string | undefined): boolean {
  return type !== undefined && /^application\/grpc(?:$|[-+;\s])/i.test(type);
}

/** In HTTP/2 the host is in `:authority`; handlers expect `Host`, as in HTTP/1.1 (RFC 9113, 8.3.1). */
function nameHost({ headers, rawHeaders, authority }: Http2ServerRequest): void {
  if (headers.host !== undefined || !authority) return;
  headers.host = authority;
  rawHeaders.push("host", authority);
}
