/** Answers to Node's own requests, for rooms without a framework, over HTTP/1.1 and HTTP/2. */
import { constants } from "node:http2";
import { chargeBytes } from "../../fair/work-gate.ts";
import { type AnyRequest, type AnyResponse, hasBody, isComing } from "../connections/connection.ts";

export type Headers = Readonly<Record<string, string | number>>;

/** A request with its answer. */
export interface NodeCall {
  request: AnyRequest;
  response: AnyResponse;
  /** The holder whose share of the server's work is used, once known. */
  holder?: string;
  /** Headers of every answer. */
  headers: Readonly<Record<string, string>>;
}

/** Bytes of a refused body that are read and dropped, so that its sender reads the answer, and the time limit for it. */
const MAX_DROPPED_BYTES = 32 * 1024 * 1024;
const DROP_MS = 5_000;

/** Whether the answer no longer has a reader. */
export const isGone = (response: AnyResponse): boolean =>
  "stream" in response ? response.stream.destroyed : response.destroyed;

export function sendEmpty({ response, headers }: NodeCall, status: number, more: Headers = {}): void {
  // 204 and 304 have no length.
  const length: Headers = status === 204 || status === 304 ? {} : { "content-length": 0 };
  writeHead(response, status, { ...headers, ...length, ...more });
  response.end();
}

export function sendJson(call: NodeCall, body: unknown, status = 200): void {
  sendText(call, JSON.stringify(body), { status, type: "application/json" });
}

export function sendText(
  { request, response, headers, holder }: NodeCall,
  text: string,
  { status, type, more = {} }: { status: number; type: string; more?: Headers },
): void {
  const bytes = Buffer.from(text);
  if (holder !== undefined) chargeBytes(holder, bytes.length);
  const head = { ...headers, "content-type": type, "content-length": bytes.length, ...more };
  const body = request.method === "HEAD" ? null : bytes;
  if (hasBody(request) && isComing(request)) return sendEarly({ request, response }, { status, head, body });
  writeHead(response, status, head);
  if (body) response.end(body);
  else response.end();
}

/** Answers before the body has arrived, such that a client that sends before it reads also gets the answer. */
function sendEarly(
  { request, response }: { request: AnyRequest; response: AnyResponse },
  { status, head, body }: { status: number; head: Headers; body: Buffer | null },
): void {
  if ("stream" in response) {
    writeHead(response, status, head);
    response.end(body ?? "");
    // A client may lose the answer when its stream is closed while it sends; but it must not send forever.
    const { stream } = response;
    return dropRest(request, () => setImmediate(() => stream.close(constants.NGHTTP2_NO_ERROR)));
  }
  const length = Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY);
  const isShort = length <= MAX_DROPPED_BYTES;
  const isWaiting = expectsContinue(request);
  writeHead(response, status, { ...head, ...((!isShort || isWaiting) && { connection: "close" }) });
  if (isWaiting) return void response.end(body ?? "");
  // The whole answer, but not its end: that would close the connection, and with unread bytes the client would lose the answer.
  if (body) response.write(body);
  else (response as { flushHeaders: () => void }).flushHeaders();
  dropRest(request, () => response.end());
}

function dropRest(request: AnyRequest, done: () => void): void {
  let dropped = 0;
  let isDone = false;
  const end = () => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    done();
  };
  const timer = setTimeout(end, DROP_MS).unref();
  request.on("data", (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > MAX_DROPPED_BYTES) end();
  });
  request.once("end", end).once("close", end).once("error", end).resume();
}

/** Whether the client waits for permission to send the body. */
export function expectsContinue({ headers, httpVersion }: AnyRequest): boolean {
  return httpVersion !== "1.0" && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? "");
}

export function writeHead(response: AnyResponse, status: number, headers: Headers): void {
  (response as { writeHead: (status: number, headers: Headers) => void }).writeHead(status, headers);
}
