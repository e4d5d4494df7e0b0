/**
 * The API, at its addresses.
 *
 *   POST /api/millrace.v1.<Service>/<Method>   application/json, application/proto   protocols/connect-unary.ts
 *                                              application/connect+…                 protocols/connect-library.ts
 *        (also without /api)                   application/grpc…, grpc-web…          `routes`, for the server's gRPC
 *   GET  /openapi.json                         the contract                         openapi.ts
 */
import { Code, type ConnectRouter } from "@connectrpc/connect";
import { parseContentType } from "@connectrpc/connect/protocol-connect";
import { type Context, Hono } from "hono";
import { type Accounts, type Callers, createCallers, TooManyRequestsError } from "#accounts/index.ts";
import type { Builds } from "#builds/index.ts";
import type { Cache } from "#cache/index.ts";
import type { AddressOf } from "#platform/http/addresses/client-address.ts";
import { connectionAddress } from "#platform/http/addresses/client-address.ts";
import { createJob } from "#platform/jobs/job.ts";
import type { Images, Mirrors } from "#registry/index.ts";
import type { Method, MethodTable } from "./calls/call.ts";
import { toConnectError } from "./calls/errors.ts";
import { deleteOldAnswers } from "./idempotency/answer-once.ts";
import { SWEEP_EVERY_MS } from "./calls/limits.ts";
import { createMethodTable } from "./methods.ts";
import { serveOpenApi } from "./openapi.ts";
import { type Api, createOpenStreams } from "./protocols/perform.ts";
import {
  addMethods,
  answerStream,
  createStreamHandlers,
  type StreamHandlers,
} from "./protocols/connect-library.ts";
import { answerError, answerUnary, HttpError } from "./protocols/connect-unary.ts";

export interface ApiOptions {
  /** For BuildService; without it, the answer is that this server has no builds. */
  builds?: Builds | undefined;
  /** For CacheService; without it, the answer is that this server has no cache. */
  cache?: Cache | undefined;
  /** For ImageService; likewise. */
  images?: Images | undefined;
  /** For MirrorService; likewise. */
  mirrors?: Mirrors | undefined;
  /** The address of a client. Default: the connection's. */
  addressOf?: AddressOf;
  /** Identifies callers and limits how often they may ask. Default: a limit for wrong tokens only. */
  callers?: Callers;
}

export interface ApiServer {
  /** Answers everything below `/api`, and `/openapi.json`. */
  app: Hono;
  /** For `createGrpcHandler`. */
  routes: (router: ConnectRouter) => void;
  /** Stops background work. */
  close: () => Promise<void>;
}

const PREFIX = "/api";

/** @param accounts whose database has the tables of `apiMigrations` */
export function createApi(accounts: Accounts, options: ApiOptions = {}): ApiServer {
  const { addressOf = connectionAddress, callers = createCallers(accounts) } = options;
  const { builds, cache, images, mirrors } = options;
  const api: Api = { accounts, callers, builds, cache, images, mirrors, streams: createOpenStreams() };
  const methods = createMethodTable();
  const streams = createStreamHandlers(api, methods);
  const sweep = createJob({
    name: "api.sweep",
    run: () => deleteOldAnswers(accounts).then(() => ({ restMs: SWEEP_EVERY_MS })),
    first: { againMs: SWEEP_EVERY_MS },
    retry: { againMs: SWEEP_EVERY_MS },
    onError: (error) => accounts.log.warn("Could not delete old responses. Retrying.", { error }),
    jitter: 0.1,
  });
  const app = new Hono();
  /** For requests whose caller is not identified. @returns null when it may be answered */
  const refuseStranger = (context: Context): Response | null => {
    const seconds = callers.takeCall(null, addressOf(context));
    if (seconds === 0) return null;
    const tooMany = new TooManyRequestsError("too many calls from this address", seconds);
    return answerError(toConnectError(tooMany, "The API", accounts.log));
  };
  app.use("/openapi.json", async (context, next) => refuseStranger(context) ?? next());
  app.get("/openapi.json", serveOpenApi());
  app.all("/openapi.json", () => answerError(wrongVerb("This address accepts GET.", "GET")));
  app.all(`${PREFIX}/*`, (context) => {
    const chosen = choose(methods, context);
    if (chosen instanceof HttpError) return refuseStranger(context) ?? answerError(chosen);
    return answerCall(api, { streams, ...chosen, request: context.req.raw, address: addressOf(context) });
  });
  app.notFound((context) => refuseStranger(context) ?? answerError(noMethod(context.req.path)));
  return {
    app,
    routes: (router) => addMethods(api, methods, router),
    close: sweep.stop,
  };
}

interface Chosen {
  method: Method;
  isStream: boolean;
  isBinary: boolean;
}

/** The called method and the protocol, or the error in the request's first lines. */
function choose(methods: MethodTable, { req }: Context): Chosen | HttpError {
  const method = methods.get(req.path.slice(PREFIX.length));
  if (!method) return noMethod(req.path);
  if (req.method !== "POST") return wrongVerb(`Methods accept POST, not ${req.method}.`, "POST");
  const type = parseContentType(req.header("content-type") ?? null);
  const isStream = method.desc.methodKind !== "unary";
  if (type?.stream === isStream) return { method, isStream, isBinary: type.binary };
  const wanted = isStream ? "application/connect+json" : "application/json";
  return new HttpError(415, Code.InvalidArgument, `Send Content-Type: ${wanted}.`, { "accept-post": wanted });
}

const wrongVerb = (message: string, allow: string) =>
  new HttpError(405, Code.Unimplemented, message, { allow });

function noMethod(path: string): HttpError {
  const shown = path.slice(0, 200);
  if (/^\/api\/[\w.]+\/\w+$/.test(path))
    return new HttpError(501, Code.Unimplemented, `This server has no method ${shown.slice(PREFIX.length)}.`);
  const message = `There is nothing at ${shown}. Methods are at /api/millrace.v1.<Service>/<Method>.`;
  return new HttpError(404, Code.NotFound, message);
}

type AnsweredCall = Chosen & { streams: StreamHandlers; request: Request; address: string | null };

function answerCall(api: Api, { streams, isStream, ...call }: AnsweredCall): Promise<Response> {
  if (!isStream) return answerUnary(api, call);
  return answerStream(streams.get(call.method)!, call.request, call.address);
}
