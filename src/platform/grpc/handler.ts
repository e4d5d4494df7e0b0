/**
 * gRPC and gRPC-Web on a Node server: Connect's services, and an answer in gRPC's form for all other calls.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { Code, type ConnectRouter, createContextKey, createContextValues } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;

export interface GrpcOptions {
  /** Adds services: `(router) => router.service(Health, …)`. */
  routes: (router: ConnectRouter) => void;
  /** Bytes of one message in a request. */
  maxMessageBytes?: number;
}

const MAX_MESSAGE_BYTES = 64 * 1024;

/** The address of the connection that a call came on; "" if unknown. */
export const callerAddress = createContextKey("", { description: "address of the connection" });

/** For requests whose `content-type` is gRPC's. An unknown service or method is UNIMPLEMENTED. */
export function createGrpcHandler({
  routes,
  maxMessageBytes = MAX_MESSAGE_BYTES,
}: GrpcOptions): (request: Request, response: Response) => void {
  return connectNodeAdapter({
    routes,
    readMaxBytes: maxMessageBytes,
    // Nothing here is worth compressing, and a small compressed message can unpack to a large one.
    acceptCompression: [],
    contextValues: (request) => createContextValues().set(callerAddress, request.socket.remoteAddress ?? ""),
    // Its request and response types differ from Node's only in the declarations of `write`.
    fallback: (request, response) => answerUnimplemented(request as Request, response as Response),
  });
}

/** A `Trailers-Only` answer: gRPC's status instead of HTTP's, which is always 200. */
function answerUnimplemented(request: Request, response: Response): void {
  const path = request.url?.split("?", 1)[0] ?? "";
  const headers = {
    "content-type": request.headers["content-type"] ?? "application/grpc",
    "grpc-status": String(Code.Unimplemented),
    // Percent-encoded, because gRPC requires it for every byte that is not plain ASCII.
    "grpc-message": encodeURI(`This server has no method ${path.slice(0, 200)}`),
  };
  if (!("stream" in response)) return void response.writeHead(200, headers).end();
  const { stream } = response;
  if (stream.destroyed) return;
  stream.respond({ ":status": 200, ...headers }, { endStream: true });
  // A body that nobody reads must not keep the stream open.
  setImmediate(() => stream.close(constants.NGHTTP2_NO_ERROR));
}
