/**
 * A room of the service, as the server around it sees it. Each room exports one function that opens it; `src/server/house.ts`
 * opens all of them, in order, and the server mounts what they have:
 *
 *   a request ─┬─ the application ─► the mount that owns the address ─► its room
 *              ├─ the beginning of the address ─► a handler of a room, without the framework
 *              ├─ gRPC ─► the calls and services of the rooms
 *              └─ no HTTP at all ─► who takes the connection
 *
 * Every list may be empty, and none is absent.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";
import type { ConnectRouter } from "@connectrpc/connect";
import type { Hono } from "hono";
import type { AnswerRawCall } from "../grpc/raw-methods.ts";
import type { AnyRequest, UploadPace } from "../http/connection.ts";
import type { Lack } from "../http/health-routes.ts";
import type { AnswerListener } from "../http/watch-answers.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Edge } from "./edge.ts";

export interface Room {
  /** In `/readyz` and in the log: one of few names. */
  name: string;
  mounts: readonly Mount[];
  handlers: readonly Handler[];
  grpc: {
    /** Adds Connect's services. */
    services: readonly ((router: ConnectRouter) => void)[];
    /** Asked before the services. */
    calls: readonly AnswerRawCall[];
  };
  upgrades: readonly Upgrade[];
  tlsNames: readonly TlsName[];
  registerMetrics: (metrics: Metrics) => void;
  isReady: () => boolean | Promise<boolean>;
  /** What it cannot do although it is ready, or null. @see healthRoutes */
  lack: () => Lack | null;
  /** What the start says about it, or null. */
  greet: () => Promise<string | null>;
  /** Called when the server begins to stop: ends what would go on for ever, such as streams. */
  end: () => void;
  /** Ends its background work. */
  close: () => Promise<void>;
}

/** Addresses that the application answers. A room owns them, and answers anything unknown below them in its own protocol. */
export interface Mount {
  /** In the log and the metrics: one of few names. */
  part: string;
  /**
   * `/feedback` is one address, `/indexes/:uid/search` one for each name, `/ingest/*` is `/ingest` and all
   * below it. The most exact line wins: a name before `:uid`, both before `*`.
   */
  paths: readonly string[];
  /** Whether its requests take their turns themselves, once it knows who asks and has counted them for their limits. */
  takesTurns: boolean;
  serve: (edge: Edge, ask: AskServer) => Hono;
}

/** Answers a request of the server to itself, with the limits and rights of `environment`'s request. */
export type AskServer = (request: Request, environment: object) => Response | Promise<Response>;

/** Answers every request whose address begins with `prefix`. */
export interface Handler {
  /** `/cache/` */
  prefix: string;
  create: (around: Around) => NodeHandler;
}

/** What handlers need from the server around them. */
export interface Around {
  /** Called once for each answer that has gone or was cut off. */
  listeners?: readonly AnswerListener[];
  /** Gives an upload the time that it needs; see `ConnectionGuard`. */
  admitUpload?: (request: AnyRequest) => UploadPace | null;
}

export type NodeHandler = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => void;

/** Takes over connections that ask for WebSocket at a path; `head` is what came after the request. */
export interface Upgrade {
  path: string;
  take: (request: IncomingMessage, socket: Socket, head: Buffer) => void;
}

/** Takes connections whose TLS is for this name, and ends the TLS itself. */
export interface TlsName {
  serverName: string;
  accept: (socket: Socket) => void;
}

/** @param parts what the room has; it is ready, and has nothing else */
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
