/** The cookies of signing in. On HTTPS, `__Host-` makes browsers take them from this very host only. */
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import type { Accounts } from "../../contract/accounts.ts";
import { cookieNameOf } from "../../identity/identify.ts";

/**
 * `session`: signed in. `provider`, `mail`: state that a browser carries until it returns. `second`: the first of two steps
 * is done (`half-sign-in.ts`). `browser`: a person has signed in with it (`known-browser.ts`).
 */
export type CookieUse = "session" | "provider" | "mail" | "second" | "browser";

export function setCookie(
  context: Context,
  accounts: Pick<Accounts, "origin">,
  { use, value, maxAgeSeconds }: { use: CookieUse; value: string; maxAgeSeconds: number },
): void {
  const secure = accounts.origin.startsWith("https:") ? "; Secure" : "";
  context.header(
    "Set-Cookie",
    `${nameOf(accounts, use)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`,
    { append: true },
  );
}

export function deleteCookie(context: Context, accounts: Pick<Accounts, "origin">, use: CookieUse): void {
  setCookie(context, accounts, { use, value: "", maxAgeSeconds: 0 });
}

export function findCookie(
  context: Context,
  accounts: Pick<Accounts, "origin">,
  use: CookieUse,
): string | undefined {
  return getCookie(context, nameOf(accounts, use));
}

function nameOf(accounts: Pick<Accounts, "origin">, use: CookieUse): string {
  return cookieNameOf(accounts).replace(/session$/, use);
}
