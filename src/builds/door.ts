import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** By which TLS on the port of everything else is told to be for builders: no site can have this name. */
export const DOOR_NAME = "builders.millrace.internal";

/** Of the origin: where a request for WebSocket becomes a tunnel. */
export const TUNNEL_PATH = "/builders/connect";

/** What the port of everything else hands over. */
export interface BuildWays {
  /** A connection whose first bytes are TLS for `DOOR_NAME`. */
  accept: (socket: Socket) => void;
  /** A request for WebSocket at `TUNNEL_PATH`. @param head what came after it */
  takeTunnel: (request: IncomingMessage, socket: Socket, head: Buffer) => void;
}

/** The way in for clients, as the room sees it. */
export interface BuildDoor extends BuildWays {
  /**
   * As clients reach it without a tunnel: `tcp://millrace.example.com:3000`; "": they do not.
   * @throws Error with what to do when its own port is not open
   */
  address: () => string;
  serverName: string;
  /** As the other servers of the installation reach it: `10.0.1.11:3000`; "": they do not. */
  inside: string;
  /** @param until milliseconds since 1970 @returns what lets a client of the build open tunnels */
  signTunnel: (buildId: string, platform: string, until: number) => string;
  cut: (buildId: string, reason: string) => void;
  close: () => Promise<void>;
}
