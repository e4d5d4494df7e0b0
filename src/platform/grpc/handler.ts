/** gRPC and gRPC-Web on a Node server: Connect's services, and a gRPC error for all other calls. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  constants,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Stream,
} from "node:http2";
import { Code, type ConnectRouter, createContextKey, createContextValues } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { chargeWrites } from "../fair/charge-request.ts";
import { createNodeAddressOf } from "../http/addresses/client-address.ts";
import type { AnyRequest, UploadPace } from "../http/connections/connection.ts";
import type { AnswerListener } from "../http/connections/watch-answers.ts";
import { watchNodeAnswer } from "../http/connections/watch-node-answer.ts";
import { runForRequest } from "../log/request-context.ts";
import { guardMessages } from "./guard-messages.ts";
import type { AnswerRawCall } from "./raw-methods.ts";

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse | Http2ServerResponse;
type TrailerFields = { [name: string]: unknown };

export interface GrpcOptions {
  /** Adds services: `(router) => router.service(Health, …)`. Their messages are bounded by `limitsOf` unless they set other limits. */
  routes: (router: ConnectRouter) => void;
  /** Most bytes of a request's message, for services without their own limit. */
  maxMessageBytes?: number;
  /** Addresses and networks of the operator's own proxies, which report the client's address. Default: none. */
  trustedProxies?: readonly string[];
  /** Answers calls of its own methods, over HTTP/2. */
  raw?: AnswerRawCall | undefined;
  /** Allows an upload of `raw` the time that it needs; see `ConnectionGuard`. */
  admitUpload?: (request: AnyRequest) => UploadPace | null;
  /** Called once for each answer that was sent or cut off. */
  listeners?: readonly AnswerListener[];
}

const MAX_MESSAGE_BYTES = 64 * 1024;

/** Also serves methods here, for clients that are given one address for all protocols. */
const PREFIX = "/api";

/** The calling client's address; "" if unknown. */
export const callerAddress = createContextKey("", { description: "address of the client" });

/** For requests with gRPC's `content-type`. An unknown service or method is UNIMPLEMENTED. */
export function createGrpcHandler({
  routes,
  maxMessageBytes = MAX_MESSAGE_BYTES,
  trustedProxies = [],
  listeners = [],
  raw,
  admitUpload,
}: GrpcOptions): (request: Request, response: Response) => void {
  const clientAddress = createNodeAddressOf(trustedProxies);
  const addressOf = (request: Request) => clientAddress(request) ?? "";
  const answer: (request: Request, response: Response) => void = connectNodeAdapter({
    routes: (router) => (routes(router), guardMessages(router)),
    // Only requests in gRPC's forms arrive here.
    connect: false,
    binaryOptions: { readUnknownFields: false },
    readMaxBytes: maxMessageBytes,
    // Nothing here is worth compressing, and a small compressed message can unpack to a large one.
    acceptCompression: [],
    // Its request and response types differ from Node's only in the declarations of `write`.
    contextValues: (request) => createContextValues().set(callerAddress, addressOf(request as Request)),
    fallback: (request, response) => answerUnimplemented(request as Request, response as Response),
  });
  return (request, response) => {
    if (request.url?.startsWith(`${PREFIX}/`)) request.url = request.url.slice(PREFIX.length);
    const requestId = randomUUID();
    response.setHeader("x-request-id", requestId);
    if (listeners.length > 0) {
      // A closed connection no longer has an address.
      const address = addressOf(request) || null;
      const client = { requestId, address: () => address };
      watchNodeAnswer(request, response, {
        mount: MOUNT,
        describe: readGrpcStatus(response),
        tell: (answered) => listeners.forEach((tell) => tell(answered, client)),
      });
    }
    const answerRaw = () =>
      raw !== undefined &&
      "stream" in response &&
      "stream" in request &&
      isPlainGrpc(request) &&
      raw(request, response, {
        path: pathOf(request),
        address: addressOf(request),
        requestId,
        admitUpload: admitUpload && (() => admitUpload(request)),
      });
    try {
      runForRequest(requestId, () => {
        if (answerRaw()) return;
        if ("stream" in response) stopBodyAfter(response.stream);
        chargeWrites(response);
        answer(request, response);
      });
    } catch {
      // The library cannot make a URL from an invalid `Host`.
      response.statusCode = 400;
      response.end();
    }
  };
}

const pathOf = ({ url }: Request) => url?.split("?", 1)[0] ?? "";

/** Neither gRPC-Web nor JSON messages. */
const isPlainGrpc = ({ method, headers }: Request) =>
  method === "POST" && /^application\/grpc(?:\+proto)?$/i.test(headers["content-type"] ?? "");

/** The part of the server that these answers are counted for. */
const MOUNT = "grpc";

/** The status in the trailers, or in the headers of an answer without messages. */
function readGrpcStatus(response: Response): () => { grpcStatus?: number } {
  let sent: unknown;
  const addTrailers = response.addTrailers.bind(response) as (trailers: TrailerFields) => void;
  response.addTrailers = (trailers: TrailerFields) => {
    sent = trailers["grpc-status"];
    addTrailers(trailers);
  };
  return () => {
    const status = sent ?? (response.headersSent ? response.getHeader("grpc-status") : undefined);
    return status === undefined ? {} : { grpcStatus: Number(status) };
  };
}

/** A body that is not read must not keep the stream open: for calls refused after their first bytes. */
function stopBodyAfter(stream: ServerHttp2Stream): void {
  stream.once("wantTrailers", () => {
    if (!stream.readableEnded) setImmediate(() => stream.close(constants.NGHTTP2_NO_ERROR));
  });
}

/** A `Trailers-Only` answer: gRPC's status instead of HTTP's, which is always 200. */
function answerUnimplemented(request: Request, response: Response): void {
  const path = pathOf(request);
  const headers = {
    "content-type": request.headers["content-type"] ?? "application/grpc",
    "grpc-status": String(Code.Unimplemented),
    // Percent-encoded, which gRPC requires for every byte that is not plain ASCII.
    "grpc-message": encodeURI(`This server has no method ${path.slice(0, 200)}`),
  };
  if (!("stream" in response)) return void response.writeHead(200, headers).end();
  const { stream } = response;
  if (stream.destroyed) return;
  // Not sent with this: the listeners of the answer read it.
  response.setHeader("grpc-status", headers["grpc-status"]);
  stream.respond({ ":status": 200, ...headers }, { endStream: true });
  // A body that is not read must not keep the stream open.
  setImmediate(() => stream.close(constants.NGHTTP2_NO_ERROR));
}
