/**
 * Who may use the console: an operator with a session, or, where no `CONSOLE_TOKEN` is set, whoever sits at this machine.
 * "At this machine" needs the connection's address, the name in `Host` (a foreign page can let its own name resolve to
 * 127.0.0.1) and the absence of a proxy's headers (a proxy on this machine makes everybody's connection a local one).
 */
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { connectionAddress as socketAddress } from "#platform/http/client-address.ts";
import { isSameOrigin } from "../ingest/intake.ts";
import { cookieName, type Sessions } from "./session.ts";

const proxyHeaders = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "via",
];
const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

export type Verdict = { isAllowed: true } | { isAllowed: false; status: 401 | 403; message: string };

const allowed: Verdict = { isAllowed: true };

export function checkOperator(context: Context, sessions: Sessions | null): Verdict {
  if (sessions) {
    if (sessions.isValid(getCookie(context, cookieName))) return allowed;
    return { isAllowed: false, status: 401, message: "Sign in with the value of CONSOLE_TOKEN." };
  }
  if (isAtThisMachine(context)) return allowed;
  return {
    isAllowed: false,
    status: 403,
    message:
      "The console answers on this machine only. Set CONSOLE_TOKEN (at least 16 characters) to sign in from elsewhere.",
  };
}

function isLoopback(address: string | null): boolean {
  return address !== null && (address === "::1" || /^127\.\d+\.\d+\.\d+$/.test(address));
}

function isAtThisMachine(context: Context): boolean {
  const host = context.req.header("host")?.replace(/:\d+$/, "").toLowerCase();
  return (
    isLoopback(socketAddress(context)) &&
    host !== undefined &&
    loopbackNames.has(host) &&
    proxyHeaders.every((name) => context.req.header(name) === undefined)
  );
}

/** What changes something comes from the console's own page, as JSON. */
export function checkChange(context: Context, origin: string): Verdict {
  const refuse = (message: string): Verdict => ({ isAllowed: false, status: 403, message });
  if (!isSameOrigin(context.req.raw, origin)) return refuse("Only the console's own page may send here.");
  if (!/^application\/json\b/i.test(context.req.header("content-type") ?? ""))
    return refuse("The body must be application/json.");
  return allowed;
}
