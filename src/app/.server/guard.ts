/** Who may use the console: an operator with a session, wherever they are. No address is trusted. */
import type { Context } from "hono";
import { isSameOrigin } from "#platform/http/same-origin.ts";
import { readSessionCookie } from "./session-cookie.ts";
import type { Sessions } from "./session.ts";

export type Verdict = { isAllowed: true } | { isAllowed: false; status: 401 | 403; message: string };

const ALLOWED: Verdict = { isAllowed: true };

export function checkOperator(context: Context, sessions: Sessions, origin: string): Verdict {
  if (sessions.isValid(readSessionCookie(context, origin))) return ALLOWED;
  return { isAllowed: false, status: 401, message: "Sign in to the console." };
}

/** Requests that change something must come from the console's own page, as JSON. */
export function checkChange(context: Context, origin: string): Verdict {
  const refuse = (message: string): Verdict => ({ isAllowed: false, status: 403, message });
  if (!isSameOrigin(context.req.raw, origin)) return refuse("Only the console's own page may send here.");
  if (!/^application\/json\b/i.test(context.req.header("content-type") ?? ""))
    return refuse("The body must be application/json.");
  return ALLOWED;
}
