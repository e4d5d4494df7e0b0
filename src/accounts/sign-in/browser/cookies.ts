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

/** Tells pages of the documentation, and no others, that someone is signed in. It is not a secret and grants nothing. */
const READER_COOKIE = "millrace-reader";

/** Scripts read it, so that a page without it asks the server nothing more. @param maxAgeSeconds 0 deletes it */
export function setReaderCookie(
  context: Context,
  { origin, namesReader }: Pick<Accounts, "origin" | "namesReader">,
  maxAgeSeconds: number,
): void {
  const secure = origin.startsWith("https:") ? "; Secure" : "";
  const age = namesReader ? maxAgeSeconds : 0;
  context.header("Set-Cookie", `${READER_COOKIE}=1; Path=/docs; Max-Age=${age}; SameSite=Lax${secure}`, {
    append: true,
  });
}

function nameOf(accounts: Pick<Accounts, "origin">, use: CookieUse): string {
  return cookieNameOf(accounts).replace(/session$/, use);
}
