/** Distinguishes a client that left from a server error: it is neither logged nor reported. */
import { Http2ServerRequest } from "node:http2";
import type { Context } from "hono";
import type { AnyRequest, AnyResponse } from "./connection.ts";

/** Properties that @hono/node-server adds to a request. */
interface NodeEnvironment {
  incoming?: AnyRequest;
  outgoing?: AnyResponse;
}

/** nginx's status for a client that has left. */
const CLIENT_CLOSED_REQUEST = 499;

/** Whether the connection ended before the body had arrived or the answer was sent. False without a connection. */
function hasClientLeft(context: Context): boolean {
  // `env` is passed by the adapter and has no type.
  const { incoming, outgoing } = (context.env ?? {}) as NodeEnvironment;
  // Here `complete` means that nothing more will arrive, for any reason.
  if (incoming instanceof Http2ServerRequest)
    return incoming.aborted || (incoming.stream.destroyed && !outgoing?.writableFinished);
  if (incoming && !incoming.complete && incoming.destroyed) return true;
  return outgoing !== undefined && outgoing.destroyed && !outgoing.writableFinished;
}

/** For error handlers: the answer when the client has left. No one reads it, but it must not count as a server error. */
export function abandonedAnswer(context: Context): Response | null {
  return hasClientLeft(context) ? new Response(null, { status: CLIENT_CLOSED_REQUEST }) : null;
}

/** Errors of sockets that the other end closed or reset. */
const SOCKET_CODES = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED", "ERR_STREAM_PREMATURE_CLOSE"]);
/** Deeper chains are cut: an error can be its own cause. */
const MAX_CAUSES = 5;

/**
 * Whether an error only means that a client ended its connection. For errors without a request at hand; with a request,
 * `abandonedAnswer` is more precise.
 */
export function isClientAbort(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth += 1) {
    // Thrown by `fetch`: the other end is a server that this server has called.
    if (current instanceof TypeError) return false;
    const { code } = current as NodeJS.ErrnoException;
    if (code !== undefined && SOCKET_CODES.has(code)) return true;
    current = current.cause;
  }
  return false;
}
