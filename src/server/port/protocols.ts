/**
 * One port for all protocols. A connection's first bytes and its TLS handshake decide which server reads it:
 *
 *   accepted ─► first bytes ─┬─ TLS for a room's name ──────────────────► room
 *                            ├─ TLS handshake ─► ALPN ─┬─ h2 ──────────► http2
 *                            │                         └─ anything else ► http1
 *                            ├─ HTTP/2 preface ─────────────────────────► http2
 *                            └─ anything else ──────────────────────────► http1
 *
 * With a certificate the port speaks only TLS: a clear-text client gets an error in HTTP/1.1. A room with a TLS name terminates its
 * TLS itself, with and without a certificate.
 */
import {
  createServer as createHttp1Server,
  type IncomingMessage,
  type Server as Http1Server,
} from "node:http";
import type { ServerOptions as Http1Options } from "node:http";
import { createServer as createHttp2Server, type Http2Server, type Http2ServerResponse } from "node:http2";
import type { ServerHttp2Session, ServerOptions as Http2Options } from "node:http2";
import { Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer, type Server as TlsServer, type TLSSocket } from "node:tls";
import type { TlsName, Upgrade } from "#platform/house/room.ts";
import { StepwiseResponse } from "#platform/http/connections/stepwise-response.ts";
import type { Certificate } from "./certificate.ts";
import { readServerName } from "./client-hello.ts";
import { type FirstProtocol, protocolOf } from "./first-bytes.ts";
import { FIRST_BYTES_MS, HTTP2_OPTIONS, TLS_HANDSHAKE_MS } from "../limits.ts";

export interface ProtocolServerOptions {
  http1?: Http1Options;
  http2?: Http2Options;
  /** Enables TLS, and disables clear text. */
  certificate?: Certificate;
  /** Milliseconds for the first bytes of a connection, and again for a TLS handshake. */
  firstBytesMs?: number;
}

interface Events {
  /** A TLS handshake has ended: `secure` is the decrypted side of `socket`. */
  secure: [secure: TLSSocket, socket: Socket];
  /** An HTTP/2 session has begun on an accepted connection. */
  session: [session: ServerHttp2Session, socket: Socket];
}

const TOO_LATE = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

const CLEAR_TEXT_NOTE = "This port speaks TLS. Use an address that starts with https://.\n";
const CLEAR_TEXT_REFUSAL = `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${CLEAR_TEXT_NOTE.length}\r\n\r\n${CLEAR_TEXT_NOTE}`;

/** Milliseconds in which a refused client can read the reason. */
const REFUSAL_MS = 2_000;

const ignore = () => {};

/**
 * Listens for connections and hands each to its protocol's server. Requests come from `http1` and `http2`.
 */
export class ProtocolServer extends NetServer {
  readonly http1: Http1Server;
  readonly http2: Http2Server;
  readonly #tls: TlsServer | null;
  readonly #firstBytesMs: number;
  #tlsName: TlsName | null = null;
  #upgrade: Upgrade | null = null;
  readonly #sockets = new Set<Socket>();
  /** Connections whose TLS handshake has not ended, by their endpoints. */
  readonly #handshakes = new Map<string, Socket>();

  constructor(options: ProtocolServerOptions = {}) {
    // Required by Node's HTTP server, but this server accepts the connections.
    super({ allowHalfOpen: true, noDelay: true });
    const { certificate, firstBytesMs } = options;
    this.#firstBytesMs = firstBytesMs ?? FIRST_BYTES_MS;
    this.http1 = createHttp1Server({
      ...options.http1,
      // Curl offers h2c in the same way as a WebSocket; the offer is ignored and the request answered.
      shouldUpgradeCallback: (request) =>
        request.headers.upgrade?.toLowerCase() === "websocket" &&
        (this.#isUpgrade(request) || this.http1.listenerCount("upgrade") > (this.#upgrade ? 1 : 0)),
    });
    // A client that sends a whole request and then ends its side (`nc -N`) still gets the answer.
    Object.assign(this.http1, { httpAllowHalfOpen: true });
    // Node enforces the time limits for headers and bodies once a server listens; this server gets its connections from here.
    this.once("listening", () => this.http1.emit("listening"));
    this.http2 = createHttp2Server({
      ...HTTP2_OPTIONS,
      ...options.http2,
      // Its type parameter is the request's class, which stays Node's.
      Http2ServerResponse: StepwiseResponse as typeof Http2ServerResponse,
    });
    this.#tls = certificate ? this.#createTls(certificate) : null;
    this.on("connection", (socket: Socket) => this.#accept(socket));
    this.once("close", () => {
      this.http1.close();
      certificate?.close();
    });
  }

  /** TLS connections for its name go to its room. */
  takeTlsName(tlsName: TlsName): void {
    this.#tlsName = tlsName;
  }

  /** WebSocket requests at this path go there; others are answered, or handled by other listeners. */
  takeUpgrades(path: string, take: Upgrade["take"]): void {
    this.#upgrade = { path, take };
    this.http1.on("upgrade", this.onUpgrade);
  }

  /** In the form of a listener. */
  readonly onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Connections of this server are always sockets.
    if (this.#isUpgrade(request)) this.#upgrade?.take(request, socket as Socket, head);
  };

  #isUpgrade({ url = "" }: IncomingMessage): boolean {
    return url === this.#upgrade?.path;
  }

  /** Cuts all connections, whatever they are waiting for. */
  closeAllConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Listens to a connection event that Node's own server does not have. */
  onCarrier<Name extends keyof Events>(name: Name, listener: (...event: Events[Name]) => void): void {
    super.on(`carrier:${name}`, listener as (...event: unknown[]) => void);
  }

  #tell<Name extends keyof Events>(name: Name, ...event: Events[Name]): void {
    this.emit(`carrier:${name}`, ...event);
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    let seen: Buffer | null = null;
    const look = (bytes: Buffer) => {
      // A guard may have refused it meanwhile.
      if (socket.writableEnded) return;
      seen = seen ? Buffer.concat([seen, bytes]) : bytes;
      const protocol = protocolOf(seen);
      const name = protocol === "tls" && this.#tlsName ? readServerName(seen) : null;
      if (!protocol || name === undefined) return;
      stop();
      if (name !== null && name.toLowerCase() === this.#tlsName?.serverName) this.#handToRoom(socket, seen);
      else this.#handOver(socket, protocol, seen);
    };
    const end = () => socket.destroy();
    const timer = setTimeout(() => this.#refuse(socket, TOO_LATE), this.#firstBytesMs);
    const stop = () => {
      clearTimeout(timer);
      socket.off("data", look).off("end", end).off("close", stop).off("error", ignore);
    };
    socket.on("data", look).on("end", end).on("close", stop).on("error", ignore);
  }

  #handOver(socket: Socket, protocol: FirstProtocol, seen: Buffer): void {
    if (this.#tls && protocol === "tls") {
      const ends = endsOf(socket);
      this.#handshakes.set(ends, socket);
      socket.once("close", () => this.#handshakes.delete(ends));
      // A handshake needs both sides.
      socket.allowHalfOpen = false;
      socket.pause().unshift(seen);
      this.#tls.emit("connection", socket);
    } else if (this.#tls) {
      socket.on("error", ignore);
      this.#refuse(socket, CLEAR_TEXT_REFUSAL);
    } else if (protocol === "http2") {
      socket.pause().unshift(seen);
      this.#begin(socket, socket, true);
    } else {
      this.#begin(socket, socket, false);
      // It is already flowing; putting these bytes back into the socket would cost a tenth of a short connection's time.
      socket.emit("data", seen);
    }
  }

  #handToRoom(socket: Socket, seen: Buffer): void {
    socket.allowHalfOpen = false;
    socket.pause().unshift(seen);
    this.#tlsName?.accept(socket);
  }

  /** @param carrier the connection, or the TLS socket around it */
  #begin(socket: Socket, carrier: Socket, isHttp2: boolean): void {
    // Without the client's side an HTTP/2 session can negotiate nothing more: no window, no new stream.
    carrier.allowHalfOpen = !isHttp2;
    if (!isHttp2) return void this.http1.emit("connection", carrier);
    this.http2.once("session", (session) => this.#tell("session", session, socket));
    this.http2.emit("connection", carrier);
  }

  #createTls(certificate: Certificate): TlsServer {
    const tls = createTlsServer({
      ...certificate.current(),
      ALPNProtocols: ["h2", "http/1.1"],
      handshakeTimeout: this.#firstBytesMs === FIRST_BYTES_MS ? TLS_HANDSHAKE_MS : this.#firstBytesMs,
    });
    certificate.onChange((pair) => tls.setSecureContext(pair));
    tls.on("secureConnection", (secure) => {
      const ends = endsOf(secure);
      const socket = this.#handshakes.get(ends);
      // It was cut while the handshake was ending.
      if (!socket || socket.destroyed) return void secure.destroy();
      this.#handshakes.delete(ends);
      this.#tell("secure", secure, socket);
      if (!secure.destroyed) this.#begin(socket, secure, secure.alpnProtocol === "h2");
    });
    // A client that rejects the certificate is not a server error.
    tls.on("tlsClientError", (_error, secure) => secure.destroy());
    return tls;
  }

  #refuse(socket: Socket, answer: string): void {
    // A TLS client would read clear text as a broken record.
    if (this.#tls && answer !== CLEAR_TEXT_REFUSAL) return void socket.destroy();
    // Further bytes are read and dropped: if the connection is closed with unread bytes, the client loses the answer.
    socket.resume().end(answer);
    const timer = setTimeout(() => socket.destroy(), REFUSAL_MS).unref();
    socket.once("end", () => socket.destroy()).once("close", () => clearTimeout(timer));
  }
}

/** Identifies a connection by its endpoints, which are the same for a socket and the TLS socket around it. */
function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
