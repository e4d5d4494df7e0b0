/**
 * The cache over HTTP/1.1 and HTTP/2, on Node's own requests: a framework would take more time than the rest.
 *
 *   /cache/<tool>/…  ─► identify ─► grant ─► route of the tool ─► answer
 *
 * The caller is identified first, whatever the address, so that an unknown address reveals nothing.
 */
import { type Actor, type Callers, reportRefusal, holderOf, Refused } from "#accounts/index.ts";
import type { AnyRequest, AnyResponse } from "#platform/http/connections/connection.ts";
import {
  type NodeHandlerOptions,
  type Explained,
  headersOfForeignBytes,
  createNodeHandler,
} from "#platform/http/node/node-handler.ts";
import { isGone } from "#platform/http/node/answer.ts";
import type { MessageRoom } from "#platform/grpc/message-room.ts";
import type { Log } from "#platform/log/log.ts";
import type { Cache, Grant } from "../contract/cache.ts";
import { endpointOf } from "../contract/tools.ts";
import type { CacheCall, ToolProtocol } from "./call.ts";
import { CacheFailure, nothingThere, toFailure } from "./failures.ts";
import { MAX_ADDRESS_LENGTH } from "./limits.ts";
import { decodePath, findAnswer, splitAddress } from "./routes.ts";
import type { Traffic } from "../figures/traffic.ts";

export interface CacheHandlerOptions extends NodeHandlerOptions {
  cache: Cache;
  callers: Callers;
  protocols: readonly ToolProtocol[];
  traffic: Traffic;
  /** Memory for large answers. Default: that of the process. */
  answers?: MessageRoom;
}

/** The part of the server that these answers count for. */
const MOUNT = "cache";

interface Served {
  cache: Cache;
  protocols: ReadonlyMap<string, ToolProtocol>;
  callers: Callers;
  log: Log;
}

/** For requests whose address begins with `/cache/`. */
export function createCacheHandler(
  options: CacheHandlerOptions,
): (request: AnyRequest, response: AnyResponse) => void {
  const { cache, callers, log, traffic, answers } = options;
  const protocols = new Map(options.protocols.map((protocol) => [protocol.tool as string, protocol]));
  const served: Served = { cache, callers, log, protocols };
  return createNodeHandler<Arrived>(options, {
    mount: MOUNT,
    headers: headersOfForeignBytes(cache.accounts.origin),
    receive: (arrived) => Object.assign(arrived, { cache, answers, outcome: "other" as const }),
    serve: (call, address) => serve(served, call, address),
    explain: (call, error) => explain(served, call, error),
    count({ protocol, outcome, receivedBytes, sentBytes }, isCut) {
      if (!protocol) return;
      traffic.count(protocol.tool, isCut ? "cut" : outcome);
      traffic.receive(protocol.tool, receivedBytes);
      traffic.send(protocol.tool, sentBytes);
    },
  });
}

/** A call before anything is known about it. */
type Arrived = Omit<CacheCall, "grant" | "path" | "query"> & { protocol?: ToolProtocol };

async function serve(served: Served, call: Arrived, address: string | null): Promise<void> {
  const { request, cache } = call;
  const url = request.url ?? "";
  if (url.length > MAX_ADDRESS_LENGTH)
    throw new CacheFailure(
      [414, "invalid_argument"],
      `an address can have at most ${MAX_ADDRESS_LENGTH} characters`,
    );
  const { tool, rest, query } = splitAddress(url);
  const protocol = served.protocols.get(tool);
  if (protocol) call.protocol = protocol;
  const actor = await served.callers.identify(request.headers, {
    address,
    organization: protocol?.organizationOf?.(query),
    at: protocol && endpointOf(protocol.tool),
    isGone: () => isGone(call.response),
  });
  call.holder = holderOf(actor);
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
    reportRefusal(cache.accounts, { refused: error, actor, address: address ?? "", at: endpointOf(tool) });
    if (!isWrite || error.code !== "permission_denied" || !(await mayRead(cache, actor, tool))) throw error;
    throw new Refused("permission_denied", `this token may read only: ${error.message}`, { cause: error });
  }
}

const mayRead = (cache: Cache, actor: Actor, tool: ToolProtocol["tool"]) =>
  cache.grant(actor, tool, "read").then(
    () => true,
    () => false,
  );

/** @throws BrokenOffError */
function explain({ log }: Served, call: Arrived, error: unknown): Explained {
  const { request, protocol } = call;
  const { code, message, status, headers } = toFailure(error, (reason) =>
    log.error(`${request.method} ${protocol?.tool ?? "?"} of the cache failed:`, { error: reason }),
  );
  call.outcome = status >= 500 ? "failed" : "refused";
  const body = protocol?.failureBody?.({ code, message }) ?? { code, message };
  return { status, body: JSON.stringify(body), headers };
}
