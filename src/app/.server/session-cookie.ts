/**
 * The cookie that names a session: for `/console` only, for no script, for no request from another site. Over https its name
 * begins with `__Secure-`, so that a browser does not accept it over plain http. (`__Host-` would require the whole
 * site as its path, and would be sent with every page.)
 */
import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";

const COOKIE_NAME = "millrace-console";

function isSecure(context: Context, origin: string): boolean {
  return origin.startsWith("https:") || context.req.url.startsWith("https:");
}

const nameOf = (isSecured: boolean) => (isSecured ? `__Secure-${COOKIE_NAME}` : COOKIE_NAME);

const attributes = (isSecured: boolean) => ({
  path: "/console",
  httpOnly: true,
  sameSite: "Strict" as const,
  secure: isSecured,
});

export function readSessionCookie(context: Context, origin: string): string | undefined {
  return getCookie(context, nameOf(isSecure(context, origin)));
}

/** @param maxAge in seconds */
export function writeSessionCookie(
  context: Context,
  origin: string,
  { value, maxAge }: { value: string; maxAge: number },
): void {
  const isSecured = isSecure(context, origin);
  setCookie(context, nameOf(isSecured), value, { ...attributes(isSecured), maxAge });
}

export function removeSessionCookie(context: Context, origin: string): void {
  const isSecured = isSecure(context, origin);
  deleteCookie(context, nameOf(isSecured), attributes(isSecured));
}
