/**
 * Connect's protocol for one request and one answer (https://connectrpc.com/docs/protocol#unary-request), which with JSON is
 * what scripts and the web application use. The library's own implementation names the wrong field only in a sentence,
 * answers `internal` to a damaged message, and takes several times the processor time.
 */
import { create, toBinary, toJsonString } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { codeToHttpStatus, parseTimeout } from "@connectrpc/connect/protocol-connect";
import { checkMessage } from "#platform/grpc/guard-messages.ts";
import { BodyError, declaredBytes, readBytes } from "#platform/http/read-body.ts";
import type { Method, Output } from "../calls/call.ts";
import { errorJson, invalidArgument } from "../calls/errors.ts";
import { JSON_OPTIONS } from "../calls/json-options.ts";
import { MAX_CALL_MS } from "../calls/limits.ts";
import { admit, type Api, perform } from "./perform.ts";
import { requestLimits } from "../calls/request-limits.ts";
import { parseBinary, parseJson } from "./parse-message.ts";

export interface UnaryCall {
  method: Method;
  request: Request;
  isBinary: boolean;
  /** The client's; null in tests without a connection. */
  address: string | null;
}

/** An error whose status differs from that of its code. */
export class HttpError extends ConnectError {
  readonly status: number;

  constructor(status: number, code: Code, message: string, headers: Record<string, string> = {}) {
    super(message, code, headers);
    this.status = status;
  }
}

export async function answerUnary(api: Api, call: UnaryCall): Promise<Response> {
  const { method, isBinary } = call;
  const { output } = method.desc;
  try {
    const message = create(output, await answer(api, call));
    if (!isBinary) return respond(200, toJsonString(output, message, JSON_OPTIONS), "application/json");
    return respond(200, new Uint8Array(toBinary(output, message)), "application/proto");
  } catch (error) {
    if (error instanceof ConnectError) return answerError(error);
    throw error;
  }
}

/** `{"code": "not_found", "message": "…", "details": []}` with the code's status. */
export function answerError(error: ConnectError): Response {
  // For the library, every ConnectError is an instance of every class derived from it.
  const status = "status" in error ? Number(error.status) : codeToHttpStatus(error.code);
  return respond(status, errorJson(error), "application/json", error.metadata);
}

function respond(status: number, body: string | Uint8Array<ArrayBuffer>, type: string, metadata?: Headers) {
  const headers = new Headers(metadata);
  headers.set("content-type", type);
  // Answers differ by token, and some contain secrets.
  headers.set("cache-control", "no-store");
  return new Response(body, { status, headers });
}

async function answer(api: Api, { method, request, isBinary, address }: UnaryCall): Promise<Output> {
  const { headers } = request;
  const isGone = () => request.signal.aborted;
  const admitted = await admit(api, { method, headers, address, isGone });
  const encoding = headers.get("content-encoding") ?? "identity";
  // A small compressed body can unpack to a large one, and requests are short.
  if (encoding !== "identity")
    throw new HttpError(415, Code.Unimplemented, "Send the body without Content-Encoding.", {
      "accept-encoding": "identity",
    });
  const timeoutMs = readTimeout(request);
  const limits = requestLimits(method.desc);
  const maxBytes = limits.bytes;
  if ((declaredBytes(request) ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const bytes = await readBytes(request, { maxBytes, timeoutMs: MAX_CALL_MS }).catch(refuseBody);
  checkMessage(method.desc, limits, { isJson: !isBinary, bytes });
  const { input } = method.desc;
  const message = isBinary ? parseBinary(input, bytes) : parseJson(input, bytes);
  return perform(api, admitted, { request: message, signal: request.signal, timeoutMs });
}

function readTimeout({ headers }: Request): number | undefined {
  const { timeoutMs, error } = parseTimeout(headers.get("connect-timeout-ms"), Infinity);
  if (error)
    throw invalidArgument("Connect-Timeout-Ms is not a number of milliseconds.", "Connect-Timeout-Ms");
  return timeoutMs;
}

const tooLarge = (maxBytes: number) =>
  new HttpError(
    413,
    Code.ResourceExhausted,
    `The body is larger than ${maxBytes} bytes, the most that this method accepts.`,
  );

function refuseBody(error: unknown): never {
  if (!(error instanceof BodyError)) throw error;
  if (error.problem === "too large") throw tooLarge(error.maxBytes);
  if (error.problem === "too slow") throw new HttpError(408, Code.DeadlineExceeded, error.message);
  throw new HttpError(400, Code.InvalidArgument, error.message);
}
