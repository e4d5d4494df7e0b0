/**
 * A tunnel to a builder: a WebSocket at the server's own address, which takes the same way as API calls, through the same proxies.
 * It carries the TLS of buildx, whose key only the server has.
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { createWebSocketStream, WebSocket } from "ws";
import { CliError } from "../errors.ts";
import { proxyFor } from "../http-proxy.ts";
import { networkError } from "../network-errors.ts";
import { cleanText } from "../text.ts";

/** WebSocket's code for a connection that ended without a close frame (RFC 6455, 7.4.1). */
const ABNORMAL = 1006;
const HANDSHAKE_MS = 30_000;
/** The size that the server sends and the largest that it accepts. One read of a socket returns as much. */
const MAX_FRAME_BYTES = 64 * 1024;
const MAX_REASON = 200;
const HELP = "/docs/managed/overview/proxy#let-builds-through";

export interface TunnelTarget {
  /** The origin of API calls. */
  origin: string;
  /** On that origin: `/builders/connect`. */
  path: string;
  /** Valid for one build. */
  token: string;
}

/** @throws CliError that names the proxy or server in the way */
export async function openTunnel({ origin, path, token }: TunnelTarget): Promise<WebSocket> {
  const url = new URL(path, origin);
  if (url.origin !== origin)
    throw new CliError(`${origin} sent an address for its builders that is not its own`);
  const proxy = proxyFor(url);
  const { HttpsProxyAgent } = proxy === "" ? {} : await import("https-proxy-agent");
  const socket = new WebSocket(url, {
    headers: { authorization: `Bearer ${token}` },
    ...(HttpsProxyAgent && { agent: new HttpsProxyAgent(proxy) }),
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
    // Masks keep browser pages from writing bytes that a cache would mistake for HTTP. These bytes are TLS.
    generateMask: () => {},
  });
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(socket));
    socket.on("error", (error) => {
      // Later errors are handled by the stream.
      if (socket.readyState !== socket.OPEN) networkError(error, url).then(reject, reject);
    });
    socket.once("unexpected-response", (request, answer) => {
      readReason(answer).then((reason) => {
        request.destroy();
        reject(refusal({ origin, status: answer.statusCode ?? 0, reason, proxy }));
      }, reject);
    });
  });
}

/** Millrace's own reason, one line of plain text; "" for another program's page. */
async function readReason(answer: IncomingMessage): Promise<string> {
  if (!/^text\/plain\b/i.test(answer.headers["content-type"] ?? "")) return "";
  let text = "";
  for await (const chunk of answer) {
    text += String(chunk);
    if (text.length > MAX_REASON) return "";
  }
  return cleanText(text).trim();
}

/** The build has ended: its record says why. */
export class BuildOver extends CliError {}

interface Refused {
  origin: string;
  status: number;
  reason: string;
  proxy: string;
}

function refusal({ origin, status, reason, proxy }: Refused): CliError {
  if (status === 407)
    return new CliError("the proxy requires a username and password: set them in HTTPS_PROXY");
  const isAway = status === 502 || status === 503 || status === 504;
  if (isAway && reason === "")
    return new CliError(`${origin} is unreachable: the proxy in front of it responded with ${status}`);
  const isOurs = reason !== "" && status !== 426;
  if (isOurs && status === 410) return new BuildOver(reason);
  if (isOurs) return new CliError(`the builder cannot be reached: ${reason}`);
  const whose =
    proxy === ""
      ? `Its proxy must pass on the headers Upgrade and Connection: see ${origin}${HELP}`
      : `Let the proxy in HTTPS_PROXY pass WebSockets, or add the host to NO_PROXY. For a proxy in front of the server, see ${origin}${HELP}`;
  return new CliError(
    `${origin} responded with ${status} to the WebSocket connection to the builder. ${whose}`,
  );
}

export interface TunnelEnd {
  /** How long it was open. */
  seconds: number;
  /** It ended without the close frame that the server sends when a build ends and when the server stops. */
  isCut: boolean;
}

/** Joins a connection of buildx to a tunnel, until either ends. @param onEnd when the tunnel ended first */
export function joinTunnel(client: Socket, tunnel: WebSocket, onEnd: (end: TunnelEnd) => void): void {
  const openedAt = performance.now();
  tunnel.once("close", (code) => {
    const seconds = Math.round((performance.now() - openedAt) / 1000);
    if (!client.destroyed) onEnd({ seconds, isCut: code === ABNORMAL });
  });
  const stream = createWebSocketStream(tunnel);
  stream.on("error", () => client.destroy());
  client.once("close", () => stream.destroy());
  client.pipe(stream).pipe(client);
}

/** @param seconds how long it was open */
export const describeCut = ({ origin }: TunnelTarget, seconds: number): string =>
  `the connection to the builder was lost after ${seconds} s: the server stopped, the network failed, or a proxy ` +
  `closed the WebSocket. See ${origin}${HELP} for the timeouts that a proxy needs`;
