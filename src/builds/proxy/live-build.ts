import type { SeenFiles } from "../context/seen-files.ts";
import type { Claims } from "./claims.ts";
import type { SolveRules, SolveSummary } from "./solve-rules.ts";

/** A build whose client may use its builder. */
export interface LiveBuild {
  /** Whose share of the server's memory it takes. */
  organizationId: string;
  /** Of its builder. */
  socket: string;
  rules: SolveRules;
  /**
   * A Solve was let through; its bytes go on afterwards.
   * @throws Error that refuses it, with a message for the client
   */
  onSolve: (solve: SolveSummary) => Promise<void>;
  /**
   * What a client asks a frontend within its Solve: buildx and buildctl run a part of the frontend themselves, so that their
   * Solve says nothing of it. May be called several times; its bytes go on afterwards.
   * @throws Error that refuses it, with a message for the client
   */
  onFrontend: (frontend: string, attributes: Record<string, string>) => Promise<void>;
  /** Connections of the build and platform; 0: the client is gone. */
  onConnections: (open: number) => void;
  /** Bytes that the client has sent in its session since the last call. @throws Error when there are too many */
  onReceived: (bytes: number) => void;
  /** What its clients' sessions carry. */
  seen: SeenFiles;
  /** A step gets it when this has returned. @throws Error that ends the build, with a message for the client */
  onSecret: (value: Uint8Array) => void;
  /** What the client has sent in its session was too much, and the build ends for it. */
  onRefused: (reason: string) => void;
  /** A client that has secrets sends what cannot be read along. */
  onUnread: () => void;
}

/** One that this server does not have, as its record says. */
export interface FarBuild {
  organizationId: string;
  /** Where the server that has it takes clients of builders: `10.0.1.11:3000`; null: none has it. */
  address: string | null;
}

/** Who has connected. */
export interface Caller {
  buildId: string;
  platform: string;
  /** Null: the build has ended. */
  find: () => LiveBuild | null;
  /** At the builder of `live`. */
  claimsAt: (live: LiveBuild) => Claims;
}
