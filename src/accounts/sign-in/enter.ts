import type { Context } from "hono";
import type { Accounts } from "../accounts.ts";
import type { Change } from "../change-records.ts";
import { createSignIn } from "../sign-ins.ts";
import { hashSecret } from "../token-text.ts";
import { describeBrowser } from "./browser-name.ts";
import { findCookie, setCookie } from "./cookies.ts";
import type { Desk } from "./desk.ts";
import { sendKnownBrowser } from "./known-browser.ts";

/** How somebody showed who they are, for the audit log. */
export type EntryMethod =
  "owner link" | "mail" | "passkey" | "invitation" | "oidc" | "github" | "first start";

export interface Entry {
  userId: string;
  name: string;
  method: EntryMethod;
}

export interface EnteringBrowser {
  /** `Firefox on macOS` */
  browser: string;
  address: string;
  /** Of who was signed in there until now. */
  formerCookie: string | undefined;
}

export interface SignedIn {
  userId: string;
  cookie: string;
  maxAgeSeconds: number;
}

export function readBrowser(desk: Desk, context: Context): EnteringBrowser {
  return {
    browser: describeBrowser(context.req.header("user-agent")),
    address: desk.addressOf(context),
    formerCookie: findCookie(context, desk.accounts, "session"),
  };
}

/** Signs a browser in, within the change that its person has made for it. Who was signed in there before is not any more. */
export async function enter(
  accounts: Accounts,
  { transaction, audit, forget }: Change,
  { entry, from }: { entry: Entry; from: EnteringBrowser },
): Promise<SignedIn> {
  const { userId, name, method } = entry;
  if (from.formerCookie) {
    const former = await transaction
      .deleteFrom("sign_ins")
      .where("key_hash", "=", hashSecret(from.formerCookie))
      .returning("id")
      .execute();
    forget(...former.map(({ id }) => id));
  }
  const { id, ...signedIn } = await createSignIn(accounts, { userId, ...from }, transaction);
  const details = { method, browser: from.browser, sign_in_id: id };
  await audit({ action: "sign-in.create", organizationId: null, target: name, targetId: userId, details });
  return { userId, ...signedIn };
}

export function sendSession(
  context: Context,
  accounts: Accounts,
  { userId, cookie, maxAgeSeconds }: SignedIn,
): void {
  setCookie(context, accounts, { use: "session", value: cookie, maxAgeSeconds });
  sendKnownBrowser(context, accounts, userId);
}
