/**
 * The cache over HTTP/1.1 and HTTP/2, on Node's own requests: a framework would take more time than the rest.
 *
 *   /cache/<tool>/…  ─► who asks ─► grant ─► route of the tool ─► answer
 *
 * Who asks is the first question, whatever the address: an unknown one tells nobody anything.
 */
import { type Actor, hearRefusal, Refused } from "#accounts/index.ts";
import { createNodeAddressOf, plainAddress } from "#platform/http/client-address.ts";
import type { AnyRequest, AnyResponse, UploadPace } from "#platform/http/connection.ts";
import { createRequestIds } from "#platform/http/request-id.ts";
import type { AnswerListener } from "#platform/http/watch-answers.ts";
import { watchNodeAnswer } from "#platform/http/watch-node-answer.ts";
import type { Log } from "#platform/log/log.ts";
import { runForRequest } from "#platform/log/request-context.ts";
import type { Cache, Grant } from "../cache.ts";
import type { Callers } from "../callers.ts";
import { doorOf } from "../tools.ts";
import { sendText } from "./answer.ts";
import type { CacheCall, ToolProtocol } from "./call.ts";
import { BrokenOffError, CacheFailure, nothingThere, toFailure } from "./failures.ts";
import { MAX_ADDRESS_LENGTH } from "./limits.ts";
import { decodePath, findAnswer, splitAddress } from "./routes.ts";
import type { Traffic } from "../traffic.ts";

export interface CacheHandlerOptions {
  cache: Cache;
  callers: Callers;
  protocols: readonly ToolProtocol[];
  traffic: Traffic;
  log: Log;
  /** Addresses and networks of the operator's own proxies, which name the client behind them. Default: none. */
  trustedProxies?: readonly string[];
  /** Called once for each answer that has gone or was cut off. */
  listeners?: readonly AnswerListener[];
  /** Gives an upload the time that it needs; see `ConnectionGuard`. */
  admitUpload?: (request: AnyRequest) => UploadPace | null;
}

/** The part of the server that these answers count for. */
const MOUNT = "cache";

interface Served {
  cache: Cache;
  protocols: ReadonlyMap<string, ToolProtocol>;
  callers: Callers;
  log: Log;
  addressOf: (request: AnyRequest) => string | null;
}

/** For requests whose address begins with `/cache/`. */
export function createCacheHandler(
  options: CacheHandlerOptions,
): (request: AnyRequest, response: AnyResponse) => void {
  const { cache, log, traffic, trustedProxies = [], listeners = [], admitUpload = () => null } = options;
  const served: Served = {
    cache,
    callers: options.callers,
    log,
    protocols: new Map(options.protocols.map((protocol) => [protocol.tool, protocol])),
    addressOf: createNodeAddressOf(trustedProxies),
  };
  const requestIdOf = createRequestIds({ trustedProxies });
  const headers = securityHeaders(cache.accounts.origin);
  return (request, response) => {
    const requestId = requestIdOf(request.headers["x-request-id"]?.toString(), () =>
      plainAddress(request.socket?.remoteAddress),
    );
    const address = served.addressOf(request);
    const call: Arrived = {
      cache,
      request,
      response,
      headers: { ...headers, "x-request-id": requestId },
      outcome: "other",
      receivedBytes: 0,
      sentBytes: 0,
      admitUpload: () => admitUpload(request),
    };
    const client = { requestId, address: () => address };
    watchNodeAnswer(request, response, {
      mount: MOUNT,
      describe: () => ({ bytes: call.sentBytes }),
      tell(answered) {
        for (const tell of listeners) tell(answered, client);
        const { protocol } = call;
        if (!protocol) return;
        // Who is refused while sending need not send the rest.
        const isCut = answered.isCut && call.outcome !== "failed" && call.outcome !== "refused";
        traffic.count(protocol.tool, isCut ? "cut" : call.outcome);
        traffic.receive(protocol.tool, call.receivedBytes);
        traffic.send(protocol.tool, call.sentBytes);
      },
    });
    void runForRequest(requestId, () => answer(served, call, address));
  };
}

/** A call of which nothing is known yet. */
type Arrived = Omit<CacheCall, "grant" | "path" | "query"> & { protocol?: ToolProtocol };

async function answer(served: Served, call: Arrived, address: string | null): Promise<void> {
  try {
    await serve(served, call, address);
  } catch (error) {
    await fail(served, call, error).catch((reason: unknown) => {
      if (!(reason instanceof BrokenOffError))
        served.log.error("The cache could not answer:", { error: reason });
      cutOff(call.response);
    });
  }
}

async function serve(served: Served, call: Arrived, address: string | null): Promise<void> {
  const { request, cache } = call;
  const url = request.url ?? "";
  if (url.length > MAX_ADDRESS_LENGTH)
    throw new CacheFailure(
      [414, "invalid_argument"],
      `an address has at most ${MAX_ADDRESS_LENGTH} characters`,
    );
  const { tool, rest, query } = splitAddress(url);
  const protocol = served.protocols.get(tool);
  if (protocol) call.protocol = protocol;
  const actor = await served.callers.identify(request.headers, {
    address,
    organization: protocol?.organizationOf?.(query),
    at: protocol && doorOf(protocol.tool),
  });
  if (!protocol) throw nothingThere(url.split("?", 1)[0] ?? "");
  const grant = await grantTo(served, { call, protocol, actor, address });
  const path = decodePath(rest);
  const { answer: run, parts } = findAnswer(protocol, path, request.method ?? "");
  await run(Object.assign(call, { cache, grant, path, query }), ...parts);
}

/** Methods that change something. */
const WRITES = new Set(["PUT", "MKCOL"]);

async function grantTo(
  { cache }: Served,
  {
    call: { request },
    protocol: { tool },
    actor,
    address,
  }: { call: Arrived; protocol: ToolProtocol; actor: Actor; address: string | null },
): Promise<Grant> {
  const isWrite = WRITES.has(request.method ?? "");
  try {
    return await cache.grant(actor, tool, isWrite ? "write" : "read");
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    hearRefusal(cache.accounts, { refused: error, actor, address: address ?? "", at: doorOf(tool) });
    if (!isWrite || error.code !== "permission_denied" || !(await mayRead(cache, actor, tool))) throw error;
    throw new Refused("permission_denied", `this token may read only: ${error.message}`, { cause: error });
  }
}

const mayRead = (cache: Cache, actor: Actor, tool: ToolProtocol["tool"]) =>
  cache.grant(actor, tool, "read").then(
    () => true,
    () => false,
  );

/** @throws BrokenOffError when nobody reads the answer; the error itself when part of another answer has gone */
async function fail({ log }: Served, call: Arrived, error: unknown): Promise<void> {
  const { request, response, protocol } = call;
  const failure = toFailure(error, (reason) =>
    log.error(`${request.method} ${protocol?.tool ?? "?"} of the cache failed:`, { error: reason }),
  );
  call.outcome = failure.status >= 500 ? "failed" : "refused";
  if (response.headersSent) throw new BrokenOffError("Part of another answer has gone.", { cause: error });
  const { code, message, status, headers: more } = failure;
  const body = protocol?.failureBody?.({ code, message }) ?? { code, message };
  sendText(call, JSON.stringify(body), { status, type: "application/json", more });
}

function cutOff(response: AnyResponse): void {
  // An HTTP/2 session has other answers.
  if ("stream" in response) response.stream.close(2);
  else response.destroy();
}

/** What a browser needs to know of bytes that anybody in the organization may have put here. */
function securityHeaders(origin: string): Record<string, string> {
  return {
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    ...(origin.startsWith("https://") && { "strict-transport-security": "max-age=31536000" }),
  };
}
