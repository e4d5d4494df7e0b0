/**
 * OCI Distribution 1.1 over HTTP/1.1 and HTTP/2, on Node's own requests: a framework would take more time than the rest.
 *
 *   /v2/                          ─► identify ─► 200
 *   /v2/token                     ─► identify ─► a token for the scopes that the caller may have
 *   /v2/<name>/manifests/<tag>    ─► identify ─► grant ─► route ─► answer
 *
 * The caller is identified first, whatever the address, so that an unknown address reveals nothing.
 */
import { type Actor, type Callers, reportRefusal, holderOf, Refused } from "#accounts/index.ts";
import type { AnyRequest, AnyResponse } from "#platform/http/connections/connection.ts";
import { isGone, sendEmpty, sendText } from "#platform/http/node/answer.ts";
import {
  type NodeHandlerOptions,
  type Explained,
  headersOfForeignBytes,
  createNodeHandler,
} from "#platform/http/node/node-handler.ts";
import { waitLonger } from "#platform/http/node/take-body.ts";
import type { MessageRoom } from "#platform/grpc/message-room.ts";
import { runUrgently } from "#platform/database/urgent.ts";
import type { Log } from "#platform/log/log.ts";
import { MAX_ADDRESS_LENGTH } from "../contract/limits.ts";
import type { Grant, Registry, RegistryCaller } from "../contract/registry.ts";
import { RegistryError } from "../contract/registry-error.ts";
import type { Traffic } from "./traffic.ts";
import type { RegistryCall } from "./call.ts";
import { challengeFor, createIdentifying, type Identify } from "./identify-caller.ts";
import { bodyOf, toFailure } from "./failures.ts";
import { findRoute, REGISTRY_PREFIX, splitAddress } from "./routes.ts";
import { createScopedTokens, type ScopedTokens } from "./token.ts";
import { answerToken } from "./token-route.ts";

export interface RegistryHandlerOptions extends NodeHandlerOptions {
  registry: Registry;
  callers: Callers;
  traffic: Traffic;
  /** The actor of pulls without a token; absent: every request needs a token. */
  actorWithoutToken?: () => Promise<Actor | null>;
  /** Memory for large answers. Default: that of the process. */
  answers?: MessageRoom;
}

/** The part of the server that these answers count for. */
const MOUNT = "registry";
/** The address that reported refusals name. */
const ENDPOINT = "/v2/";

interface Served {
  registry: Registry;
  tokens: ScopedTokens;
  identify: Identify;
  log: Log;
  actorWithoutToken: (() => Promise<Actor | null>) | undefined;
}

/** For requests whose address begins with `/v2/`. */
export function createRegistryHandler(
  options: RegistryHandlerOptions,
): (request: AnyRequest, response: AnyResponse) => void {
  const { registry, log, traffic, answers } = options;
  const { accounts } = registry;
  const tokens = createScopedTokens(accounts.secretKey, accounts.clock);
  const identify = createIdentifying(options.callers, tokens);
  const served: Served = { registry, tokens, identify, log, actorWithoutToken: options.actorWithoutToken };
  return createNodeHandler<Arrived>(options, {
    mount: MOUNT,
    headers: {
      "docker-distribution-api-version": "registry/2.0",
      ...headersOfForeignBytes(accounts.origin),
    },
    receive: (arrived) => Object.assign(arrived, { registry, answers, outcome: "other" as const }),
    serve: (call, address) => serve(served, call, address),
    explain: (call, error) => explain(served, call, error),
    count(call, isCut) {
      traffic.count(isCut ? "cut" : call.outcome);
      traffic.receive(call.receivedBytes);
      traffic.send(call.sentBytes);
    },
  });
}

/** A call before anything is known about it. */
type Arrived = Omit<RegistryCall, "grant" | "caller" | "base" | "query">;

async function serve(served: Served, call: Arrived, address: string | null): Promise<void> {
  const { request, registry } = call;
  const url = request.url ?? "";
  if (url.length > MAX_ADDRESS_LENGTH)
    throw new RegistryError("NAME_INVALID", `an address can have at most ${MAX_ADDRESS_LENGTH} characters`, {
      status: 414,
    });
  const { name, rest, query } = splitAddress(url);
  if (name === "" && rest === "token")
    return answerToken(call, { tokens: served.tokens, identify: served.identify, address, query });
  const granted = await grantWithoutToken(served, call, { name, rest });
  const caller =
    granted?.caller ??
    (await served.identify(request.headers, { address, name, isGone: () => isGone(call.response) }));
  call.holder = holderOf(caller.actor);
  if (name === "") return answerBase(call, rest);
  const { right, answer: run, parts } = findRoute(rest, request.method ?? "");
  const grant =
    granted?.grant ??
    (await registry.grant(caller, name, right).catch((error: unknown) => {
      throw reportAndReturn(served, error, { caller, address });
    }));
  // Another registry may be slow.
  if (grant.repository.projectId === null) waitLonger(request);
  const admitted = Object.assign(call, { caller, grant, base: `${REGISTRY_PREFIX}${name}`, query });
  const answer = () => run(admitted, ...parts);
  await (request.method === "DELETE" ? runUrgently(answer) : answer());
}

/** @returns null where a token is needed: for other rights, and for images that the actor may not pull; the client then asks for one */
async function grantWithoutToken(
  { registry, actorWithoutToken }: Served,
  { request }: Arrived,
  { name, rest }: { name: string; rest: string },
): Promise<{ caller: RegistryCaller; grant: Grant } | null> {
  if (!actorWithoutToken || name === "" || request.headers.authorization !== undefined) return null;
  if (findRoute(rest, request.method ?? "").right !== "pull") return null;
  const actor = await actorWithoutToken();
  if (!actor) return null;
  // It never gets another right.
  const caller: RegistryCaller = { actor, scopes: [{ name, rights: ["pull"] }] };
  try {
    return { caller, grant: await registry.grant(caller, name, "pull") };
  } catch (error) {
    if (error instanceof RegistryError && (error.code === "DENIED" || error.code === "NAME_UNKNOWN"))
      return null;
    throw error;
  }
}

/** Reports the refusal to the accounts, and returns the error. */
function reportAndReturn(
  { registry }: Served,
  error: unknown,
  { caller, address }: { caller: RegistryCaller; address: string | null },
): unknown {
  const refused = error instanceof RegistryError ? error.cause : error;
  if (refused instanceof Refused)
    reportRefusal(registry.accounts, { refused, actor: caller.actor, address: address ?? "", at: ENDPOINT });
  return error;
}

/** `GET /v2/`: whether this is a registry, and whether the caller may use it. */
function answerBase(call: Arrived, rest: string): void {
  const { method = "" } = call.request;
  if (rest === "_catalog")
    throw new RegistryError(
      "UNSUPPORTED",
      "there is no list of all repositories; millrace projects list shows those of your organization",
      { status: 404 },
    );
  if (rest !== "")
    throw new RegistryError("UNSUPPORTED", `there is nothing at /v2/${rest.slice(0, 200)}`, { status: 404 });
  if (method !== "GET" && method !== "HEAD")
    throw new RegistryError("UNSUPPORTED", `this address accepts GET, HEAD, not ${method.slice(0, 20)}`, {
      headers: { allow: "GET, HEAD" },
    });
  if (method === "HEAD") return sendEmpty(call, 200);
  sendText(call, "{}", { status: 200, type: "application/json" });
}

/** @throws BrokenOffError */
function explain({ log, registry }: Served, call: Arrived, error: unknown): Explained {
  const { request } = call;
  const failure = toFailure(error, (reason) =>
    log.error(`${request.method} of the registry failed:`, { error: reason }),
  );
  const { status } = failure;
  call.outcome = status >= 500 ? "failed" : status === 404 ? "missing" : "refused";
  const headers = {
    ...failure.headers,
    ...(status === 401 && { "www-authenticate": challengeFor(registry.accounts.origin, request) }),
  };
  return { status, body: bodyOf(failure), headers };
}
