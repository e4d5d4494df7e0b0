/** The connection of somebody who reads a stream. */
import type { IncomingMessage } from "node:http";
import type { Context } from "hono";

export interface ReaderConnection {
  /** Ends it, or the stream of it, with what waits in it; null: nothing is known of it. */
  cut: (() => void) | null;
  /** @param leave called once the reader has gone, at once if that was before @returns what stops the watch */
  watch: (leave: () => void) => () => void;
}

/** What the adapter passes; absent without a server. */
interface NodeEnvironment {
  incoming?: IncomingMessage;
  outgoing?: { destroy: () => void };
}

export function connectionOf(context: Context): ReaderConnection {
  const { incoming, outgoing } = (context.env ?? {}) as NodeEnvironment;
  const { signal } = context.req.raw;
  // Who has asked over HTTP/1.1 may end their side and still read an answer. This one has no end, and of a connection that
  // was closed the server hears nothing else until it writes.
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
