/** An id for each request: in its answer (`X-Request-Id`), in every line logged for it, in a proxy's log. */
import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { runForRequest } from "../log/request-context.ts";
import { connectionAddress, createMatcher } from "./client-address.ts";

declare module "hono" {
  interface ContextVariableMap {
    requestId?: string;
  }
}

/**
 * What proxies send: UUIDs, trace ids, hexadecimal digits. Nothing that a terminal or log viewer would
 * interpret.
 */
const SANE_ID = /^[\w.:=+/-]{8,128}$/;

export interface RequestIdOptions {
  /** Addresses and networks of the operator's own proxies, whose ids are kept. Default: none. */
  trustedProxies?: readonly string[];
  makeId?: () => string;
}

export function assignRequestId(options: RequestIdOptions = {}): MiddlewareHandler {
  const { trustedProxies = [], makeId = randomUUID } = options;
  const isTrusted = createMatcher(trustedProxies);
  return async (context, next) => {
    const given = trustedProxies.length > 0 ? context.req.header("x-request-id") : undefined;
    const isKept = given !== undefined && SANE_ID.test(given) && isTrusted(connectionAddress(context) ?? "");
    const requestId = isKept ? given : makeId();
    context.set("requestId", requestId);
    await runForRequest(requestId, next);
    context.res.headers.set("X-Request-Id", requestId);
  };
}
