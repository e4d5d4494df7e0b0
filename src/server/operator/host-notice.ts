/** Reports to the operator that people use another host name than sign-ins and links. */
import type { MiddlewareHandler } from "hono";
import { isLocalName } from "#platform/text/local-name.ts";

/** Names come from strangers: only a possible address is repeated. */
const HOST = /^(?:[a-z0-9.-]{1,253}|\[[0-9a-f:]{2,45}\])(?::\d{1,5})?$/;
/** Addresses for signing in; programs may use internal names. */
const SIGN_IN = /^\/(?:app|auth|device)(?:\/|$)/;

/** Reported once, while `SITE_ORIGIN` is this machine's own name: every request would repeat it. */
export function createHostNotice(origin: string, log: (line: string) => void): MiddlewareHandler {
  const { protocol, hostname } = new URL(origin);
  let isTold = !isLocalName(hostname);
  return (context, next) => {
    if (isTold || !SIGN_IN.test(context.req.path)) return next();
    const host = (context.req.header("host") ?? "").toLowerCase();
    if (!HOST.test(host) || isLocalName(host.replace(/:\d+$/, ""))) return next();
    isTold = true;
    log(
      `  Someone opened a page of the application at ${host}, but SITE_ORIGIN is ${origin}: sign-ins, links and the CLI use that name, which on each machine means the machine itself. Set SITE_ORIGIN=${protocol}//${host}, or the https address of a proxy, and restart the server.`,
    );
    return next();
  };
}
