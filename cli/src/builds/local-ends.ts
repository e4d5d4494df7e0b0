/**
 * Addresses of builders for buildx: the one that the server gives, if it answers from here, else the local end of a tunnel that
 * this process opens.
 *
 *   buildx ── TLS ──► unix socket in the private folder, or a port of 127.0.0.1 ── WebSocket through all proxies ──► server
 *
 * Other users of this machine who find the port cannot pass the builder's TLS: they have no certificate.
 */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { connect } from "node:tls";
import type { WebSocket } from "ws";
import type { BuilderServiceGetEndpointResponse } from "../client.ts";
import { proxyFor } from "../http-proxy.ts";
import { cleanLines } from "../text.ts";
import type { TunnelTarget } from "./tunnel.ts";

const DIRECT_MS = 3000;
/** Bytes of a socket's path; macOS has the smallest limit. */
const MAX_SOCKET_PATH = 100;

export interface LocalEnds extends AsyncDisposable {
  /** @returns the address for buildx: `tcp://…`, `unix://…`. @throws CliError if the builder cannot be reached */
  reach: (endpoint: BuilderServiceGetEndpointResponse) => Promise<string>;
  /** Called after a build has failed: prints the connection's problem, if there was one. */
  tell: () => void;
}

interface LocalEndsOptions {
  origin: string;
  /** Readable only by this user. */
  folder: string;
  err: (text: string) => void;
}

export function createLocalEnds({ origin, folder, err }: LocalEndsOptions): LocalEnds {
  const ends: LocalEnd[] = [];
  let problem: string | undefined;
  const onProblem = (text: string) => void (problem ??= text);
  return {
    async reach(endpoint) {
      const { address, tunnelPath: path, tunnelToken: token } = endpoint;
      // An older server has no tunnels.
      if (path === "" || (address !== "" && (await isReachable(endpoint, origin)))) return address;
      const end = new LocalEnd({ origin, path, token }, onProblem);
      ends.push(end);
      return end.open(join(folder, `${ends.length}.sock`));
    },
    tell() {
      if (problem !== undefined) err(`millrace: ${cleanLines(problem)}\n`);
      problem = undefined;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(ends.map((end) => end.close()));
    },
  };
}

/** buildx ignores HTTP_PROXY, and a proxy in front of the server may end connections. */
async function isReachable(endpoint: BuilderServiceGetEndpointResponse, origin: string): Promise<boolean> {
  if (proxyFor(new URL(origin)) !== "") return false;
  const { hostname, port } = new URL(endpoint.address);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port),
    servername: endpoint.serverName,
    ca: endpoint.caCertificate,
    cert: endpoint.clientCertificate,
    key: endpoint.clientKey,
    minVersion: "TLSv1.3",
    ALPNProtocols: ["h2"],
  });
  socket.on("error", () => {});
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(DIRECT_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** The local end of one builder's tunnels. */
class LocalEnd {
  readonly #target: TunnelTarget;
  readonly #onProblem: (text: string) => void;
  readonly #server: Server;
  readonly #clients = new Set<Socket>();
  /** Opened before buildx connects, to know that tunnels work. */
  #waiting: WebSocket | undefined;
  /** The server has closed a tunnel; the build's record says why. */
  #isOver = false;

  constructor(target: TunnelTarget, onProblem: (text: string) => void) {
    this.#target = target;
    this.#onProblem = onProblem;
    this.#server = createServer({ pauseOnConnect: true }, (client) => void this.#serve(client));
  }

  /** @param path of the socket, on systems that have sockets @returns the address for buildx */
  async open(path: string): Promise<string> {
    const { openTunnel } = await import("./tunnel.ts");
    this.#waiting = await openTunnel(this.#target);
    const isSocket = process.platform !== "win32" && Buffer.byteLength(path) <= MAX_SOCKET_PATH;
    if (isSocket) this.#server.listen(path);
    else this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    return address !== null && typeof address === "object"
      ? `tcp://127.0.0.1:${address.port}`
      : `unix://${path}`;
  }

  async close(): Promise<void> {
    this.#waiting?.terminate();
    for (const client of this.#clients) client.destroy();
    if (this.#server.listening) this.#server.close();
  }

  async #serve(client: Socket): Promise<void> {
    this.#clients.add(client);
    client.on("error", () => {}).once("close", () => this.#clients.delete(client));
    const { BuildOver, describeCut, joinTunnel, openTunnel } = await import("./tunnel.ts");
    try {
      const tunnel = this.#takeWaiting() ?? (await openTunnel(this.#target));
      joinTunnel(client, tunnel, ({ isCut, seconds }) => {
        if (isCut) this.#onProblem(describeCut(this.#target, seconds));
        else this.#isOver = true;
      });
      // buildx may have disconnected in the meantime.
      if (client.destroyed) tunnel.terminate();
    } catch (error) {
      // buildx tries again after its build or the server has ended.
      const isOver = this.#isOver || error instanceof BuildOver;
      if (!isOver) this.#onProblem(error instanceof Error ? error.message : String(error));
      client.destroy();
    }
  }

  /** The server closes an unused tunnel after a while. */
  #takeWaiting(): WebSocket | undefined {
    const tunnel = this.#waiting;
    this.#waiting = undefined;
    return tunnel?.readyState === tunnel?.OPEN ? tunnel : undefined;
  }
}
