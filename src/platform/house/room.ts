/**
 * The server's view of a room of the service. Each room exports one function that opens it; `src/server/house.ts` opens all of
 * them, in order, and the server mounts their parts:
 *
 *   a request ─┬─ the application ─► the mount that owns the address ─► its room
 *              ├─ a prefix of the address ─► a handler of a room, without the framework
 *              ├─ gRPC ─► the calls and services of the rooms
 *              └─ not HTTP ─► the part that takes the connection
 *
 * Every list may be empty; none is absent.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";
import type { ConnectRouter } from "@connectrpc/connect";
import type { Hono } from "hono";
import type { AnswerRawCall } from "../grpc/raw-methods.ts";
import type { AnyRequest, UploadPace } from "../http/connections/connection.ts";
import type { Lack } from "../http/health-routes.ts";
import type { AnswerListener } from "../http/connections/watch-answers.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Edge } from "./edge.ts";

export interface Room {
  /** A name in `/readyz` and in the log, from a small set. */
  name: string;
  mounts: readonly Mount[];
  handlers: readonly Handler[];
  grpc: {
    /** Adds Connect's services. */
    services: readonly ((router: ConnectRouter) => void)[];
    /** Tried before the services. */
    calls: readonly AnswerRawCall[];
  };
  upgrades: readonly Upgrade[];
  tlsNames: readonly TlsName[];
  registerMetrics: (metrics: Metrics) => void;
  isReady: () => boolean | Promise<boolean>;
  /** A limitation although it is ready, or null. @see healthRoutes */
  lack: () => Lack | null;
  /** A message for the start, or null. */
  greet: () => Promise<string | null>;
  /** Called when the server begins to stop: ends work that would continue forever, such as streams. */
  end: () => void;
  /** Ends its background work. */
  close: () => Promise<void>;
}

/** Addresses that the application answers. A room owns them, and answers unknown addresses below them in its own protocol. */
export interface Mount {
  /** A name in the log and the metrics, from a small set. */
  part: string;
  /**
   * `/feedback` is one address, `/indexes/:uid/search` one for each name, `/ingest/*` is `/ingest` and all
   * below it. The most specific path wins: a name before `:uid`, both before `*`.
   */
  paths: readonly string[];
  /** Whether its requests take their turns themselves, after the caller is identified and the limits have counted them. */
  takesTurns: boolean;
  serve: (edge: Edge, ask: AskServer) => Hono;
}

/** Answers a request of the server to itself, with the limits and permissions of `environment`'s request. */
export type AskServer = (request: Request, environment: object) => Response | Promise<Response>;

/** Answers every request whose address begins with `prefix`. */
export interface Handler {
  /** `/cache/` */
  prefix: string;
  create: (around: Around) => NodeHandler;
}

/** The server's services for handlers. */
export interface Around {
  /** Called once for each answer that was sent or cut off. */
  listeners?: readonly AnswerListener[];
  /** Allows an upload the time that it needs; see `ConnectionGuard`. */
  admitUpload?: (request: AnyRequest) => UploadPace | null;
}

export type NodeHandler = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => void;

/** Takes over connections that request WebSocket at a path; `head` has the bytes after the request. */
export interface Upgrade {
  path: string;
  take: (request: IncomingMessage, socket: Socket, head: Buffer) => void;
}

/** Takes TLS connections for this name, and terminates TLS itself. */
export interface TlsName {
  serverName: string;
  accept: (socket: Socket) => void;
}

/** @param parts that the room has; it is ready, and has no others */
export function createRoom(name: string, parts: Partial<Omit<Room, "name">>): Room {
  return {
    name,
    mounts: [],
    handlers: [],
    grpc: { services: [], calls: [] },
    upgrades: [],
    tlsNames: [],
    registerMetrics() {},
    isReady: () => true,
    lack: () => null,
    greet: () => Promise.resolve(null),
    end() {},
    close: () => Promise.resolve(),
    ...parts,
  };
}
