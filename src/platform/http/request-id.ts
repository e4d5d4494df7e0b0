/** An id for each request: in its answer (`X-Request-Id`), in every line logged for it, in a proxy's log. */
import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { runForRequest } from "../log/request-context.ts";
import { connectionAddress, createMatcher } from "./addresses/client-address.ts";

declare module "hono" {
  interface ContextVariableMap {
    requestId?: string;
  }
}

/** Forms that proxies send: UUIDs, trace ids, hexadecimal digits. Nothing that a terminal or log viewer would interpret. */
const SANE_ID = /^[\w.:=+/-]{8,128}$/;

export interface RequestIdOptions {
  /** Addresses and networks of the operator's own proxies, whose ids are kept. Default: none. */
  trustedProxies?: readonly string[];
  makeId?: () => string;
}

/** @returns the id of a request with this header, on a connection from this address */
export function createRequestIds({ trustedProxies = [], makeId = randomUUID }: RequestIdOptions = {}): (
  given: string | undefined,
  direct: () => string | null,
) => string {
  const isTrusted = createMatcher(trustedProxies);
  return (given, direct) => {
    const isKept =
      trustedProxies.length > 0 && given !== undefined && SANE_ID.test(given) && isTrusted(direct() ?? "");
    return isKept ? given : makeId();
  };
}

export function assignRequestId(options: RequestIdOptions = {}): MiddlewareHandler {
  const requestIdOf = createRequestIds(options);
  return async (context, next) => {
    const requestId = requestIdOf(context.req.header("x-request-id"), () => connectionAddress(context));
    context.set("requestId", requestId);
    await runForRequest(requestId, next);
    context.res.headers.set("X-Request-Id", requestId);
  };
}
