/** The connection of a stream's reader. */
import type { IncomingMessage } from "node:http";
import type { Context } from "hono";

export interface ReaderConnection {
  /** Ends the connection, or its stream, with everything that waits in it; null: no connection is known. */
  cut: (() => void) | null;
  /** @param leave called once the reader has left, immediately if they already have @returns a function that stops the watch */
  watch: (leave: () => void) => () => void;
}

/** Passed by the adapter; absent without a server. */
interface NodeEnvironment {
  incoming?: IncomingMessage;
  outgoing?: { destroy: () => void };
}

export function connectionOf(context: Context): ReaderConnection {
  const { incoming, outgoing } = (context.env ?? {}) as NodeEnvironment;
  const { signal } = context.req.raw;
  // An HTTP/1.1 client may end its side after the request and still read the response. This response has no end, and until
  // the server writes, that end is its only sign of a closed connection.
  const socket = incoming?.httpVersionMajor === 1 ? incoming.socket : undefined;
  return {
    cut: outgoing ? () => outgoing.destroy() : null,
    watch(leave) {
      signal.addEventListener("abort", leave);
      socket?.on("end", leave);
      if (signal.aborted || socket?.readableEnded || socket?.destroyed) leave();
      return () => {
        signal.removeEventListener("abort", leave);
        socket?.off("end", leave);
      };
    },
  };
}
