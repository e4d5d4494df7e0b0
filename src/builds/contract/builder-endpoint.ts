import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** The TLS server name that marks builder connections on the port that everything else uses: no site can have this name. */
export const BUILDER_SERVER_NAME = "builders.millrace.internal";

/** The path on the origin where a WebSocket request becomes a tunnel. */
export const TUNNEL_PATH = "/builders/connect";

/** How the port that everything else uses hands over connections. */
export interface BuildWays {
  /** A connection whose first bytes are TLS for `BUILDER_SERVER_NAME`. */
  accept: (socket: Socket) => void;
  /** A WebSocket request at `TUNNEL_PATH`. @param head the bytes after it */
  takeTunnel: (request: IncomingMessage, socket: Socket, head: Buffer) => void;
}

/** The clients' way in, as the room sees it. */
export interface BuilderEndpoint extends BuildWays {
  /**
   * The address for clients without a tunnel: `tcp://millrace.example.com:3000`; "": there is none.
   * @throws Error with what to do when its own port is not open
   */
  address: () => string;
  serverName: string;
  /** The address for other servers of the installation: `10.0.1.11:3000`; "": they cannot reach it. */
  inside: string;
  /** @param until milliseconds since 1970 @returns a token with which a client of the build opens tunnels */
  signTunnel: (buildId: string, platform: string, until: number) => string;
  cut: (buildId: string, reason: string) => void;
  close: () => Promise<void>;
}
