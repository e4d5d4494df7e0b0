import type { SeenFiles } from "../context/seen-files.ts";
import type { Claims } from "./claims.ts";
import type { SolveRules, SolveSummary } from "./solve-rules.ts";

/** A build whose client may use its builder. */
export interface ProxyBuild {
  /** The organization whose share of the server's memory it uses. */
  organizationId: string;
  /** Socket of its builder. */
  socket: string;
  rules: SolveRules;
  /**
   * A Solve was let through; its bytes are forwarded after this.
   * @throws Error that refuses it, with a message for the client
   */
  onSolve: (solve: SolveSummary) => Promise<void>;
  /**
   * A client's request to a frontend within its Solve: buildx and buildctl run a part of the frontend themselves, so their Solve
   * does not mention it. May be called several times; the bytes are forwarded after this.
   * @throws Error that refuses it, with a message for the client
   */
  onFrontend: (frontend: string, attributes: Record<string, string>) => Promise<void>;
  /** Number of connections of the build and platform; 0: the client is gone. */
  onConnections: (open: number) => void;
  /** Bytes that the client has sent in its session since the last call. @throws Error when there are too many */
  onReceived: (bytes: number) => void;
  /** Files from its clients' sessions. */
  seen: SeenFiles;
  /** A step gets the secret after this returns. @throws Error that ends the build, with a message for the client */
  onSecret: (value: Uint8Array) => void;
  /** The client has sent too much in its session, which ends the build. */
  onRefused: (reason: string) => void;
  /** The session of a client with secrets cannot be read. */
  onUnread: () => void;
}

/** The record of a build that this server does not have. */
export interface FarBuild {
  organizationId: string;
  /** Address for clients of builders at the server that has it: `10.0.1.11:3000`; null: no server has it. */
  address: string | null;
}

/** A connected client. */
export interface Caller {
  buildId: string;
  platform: string;
  /** Null: the build has ended. */
  find: () => ProxyBuild | null;
  /** Names at the builder of `live`. */
  claimsAt: (live: ProxyBuild) => Claims;
}
