/**
 * Where buildx finds its builders: at the address that the server gives, if that answers from here, else at the end of a tunnel that
 * this process opens for it.
 *
 *   buildx ── TLS ──► unix socket in the private folder, or a port of 127.0.0.1 ── WebSocket through all proxies ──► server
 *
 * Others on this machine who find a port get no further than to the builder's TLS: they have no certificate.
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
/** Of a path of a socket; macOS has the smallest limit. */
const MAX_SOCKET_PATH = 100;

export interface LocalEnds extends AsyncDisposable {
  /** @returns the address for buildx: `tcp://…`, `unix://…`. @throws CliError when there is no way from here */
  reach: (endpoint: BuilderServiceGetEndpointResponse) => Promise<string>;
  /** After a build has failed: says what was wrong on the way, if anything. */
  tell: () => void;
}

interface LocalEndsOptions {
  origin: string;
  /** That only this user can read. */
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

/** buildx knows nothing of HTTP_PROXY, and a proxy before the server may end connections. */
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

/** Of one builder. */
class LocalEnd {
  readonly #target: TunnelTarget;
  readonly #onProblem: (text: string) => void;
  readonly #server: Server;
  readonly #clients = new Set<Socket>();
  /** Opened before anybody asked, to know that it can be. */
  #waiting: WebSocket | undefined;
  /** The server has let go of a tunnel, and says why elsewhere. */
  #isOver = false;

  constructor(target: TunnelTarget, onProblem: (text: string) => void) {
    this.#target = target;
    this.#onProblem = onProblem;
    this.#server = createServer({ pauseOnConnect: true }, (client) => void this.#serve(client));
  }

  /** @param path of a socket, where this system has them @returns the address for buildx */
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
      // It may have gone meanwhile.
      if (client.destroyed) tunnel.terminate();
    } catch (error) {
      // buildx tries again when its build has ended, or the server.
      const isOver = this.#isOver || error instanceof BuildOver;
      if (!isOver) this.#onProblem(error instanceof Error ? error.message : String(error));
      client.destroy();
    }
  }

  /** The server lets go of one that nobody uses. */
  #takeWaiting(): WebSocket | undefined {
    const tunnel = this.#waiting;
    this.#waiting = undefined;
    return tunnel?.readyState === tunnel?.OPEN ? tunnel : undefined;
  }
}
