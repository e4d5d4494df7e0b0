import type { Context } from "hono";
import type { Accounts } from "../contract/accounts.ts";
import type { Change } from "../changes/change-records.ts";
import { Refused } from "../contract/refused.ts";
import type { AccountTransaction } from "../records/schema.ts";
import { createSignIn, signInEnd } from "../people/sign-ins.ts";
import { hashSecret } from "../contract/token-text.ts";
import { findTwoStepped, type SecondWay } from "../two-step/two-step.ts";
import { describeBrowser } from "./browser/browser-name.ts";
import { findCookie, setCookie, setReaderCookie } from "./browser/cookies.ts";
import type { RequestGuard } from "./request-guard.ts";
import { type ENTRY_METHODS, sendHalf } from "./browser/half-sign-in.ts";
import { sendKnownBrowser } from "./browser/known-browser.ts";

/** How a person signed in, for the audit log. */
export type EntryMethod = (typeof ENTRY_METHODS)[number];

export interface Entry {
  userId: string;
  name: string;
  method: EntryMethod;
  /** Whether both steps are done: by a second step, or by a passkey that verifies the person. */
  isVerified?: boolean;
  /** The kind of the second step. */
  second?: SecondWay;
}

export interface EnteringBrowser {
  /** `Firefox on macOS` */
  browser: string;
  address: string;
  /** The cookie of the person who was signed in there until now. */
  formerCookie: string | undefined;
}

export type Entered =
  | { state: "signed in"; userId: string; cookie: string; maxAgeSeconds: number }
  /** The same person is already signed in with two steps: one more step changes nothing. */
  | { state: "is signed in" }
  | { state: "half"; userId: string; method: EntryMethod };

export function readBrowser(guard: RequestGuard, context: Context): EnteringBrowser {
  return {
    browser: describeBrowser(context.req.header("user-agent")),
    address: guard.addressOf(context),
    formerCookie: findCookie(context, guard.accounts, "session"),
  };
}

/**
 * Signs a browser in, within the change that its person has made for it, unless a second step is needed. A person who was
 * signed in there before is signed out.
 * @throws Refused `failed_precondition` for an owner whose passkey has not verified them
 */
export async function enter(
  accounts: Accounts,
  { transaction, audit, forget }: Change,
  { entry, from }: { entry: Entry; from: EnteringBrowser },
): Promise<Entered> {
  const { userId, name, method, isVerified = false, second } = entry;
  const formerHash = from.formerCookie ? hashSecret(from.formerCookie) : "";
  if (!isVerified) {
    if ((await findTwoStepped(transaction, [userId])).size > 0) {
      if (await isSignedIn(accounts, transaction, { userId, key_hash: formerHash }))
        return { state: "is signed in" };
      return { state: "half", userId, method };
    }
    if (method === "passkey") await refuseOwner(transaction, userId);
  }
  const former = await transaction
    .deleteFrom("sign_ins")
    .where("key_hash", "=", formerHash)
    .returning("id")
    .execute();
  forget(...former.map(({ id }) => id));
  const { id, ...signedIn } = await createSignIn(accounts, { userId, ...from }, transaction);
  const details = { method, browser: from.browser, sign_in_id: id, ...(second && { second }) };
  await audit({ action: "sign-in.create", organizationId: null, target: name, targetId: userId, details });
  return { state: "signed in", userId, ...signedIn };
}

async function isSignedIn(
  { clock }: Accounts,
  transaction: AccountTransaction,
  { userId, key_hash }: { userId: string; key_hash: string },
): Promise<boolean> {
  const row = await transaction
    .selectFrom("sign_ins")
    .select(["created_at", "expires_at"])
    .where("key_hash", "=", key_hash)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row !== undefined && signInEnd(row) > clock();
}

/** An owner's other ways in are a link by mail, a provider, and the link that the operator's command prints. */
async function refuseOwner(transaction: AccountTransaction, userId: string): Promise<void> {
  const owner = await transaction
    .selectFrom("members")
    .select("role")
    .where("user_id", "=", userId)
    .where("role", "=", "owner")
    .executeTakeFirst();
  if (owner)
    throw new Refused(
      "failed_precondition",
      "this passkey did not verify that it is you, as an owner's passkey must: set up a PIN, a fingerprint or a face on the device and try again, or sign in another way and add a passkey that does",
    );
}

/** Sets the cookies. @returns where the browser continues */
export function sendEntered(context: Context, accounts: Accounts, entered: Entered, next: string): string {
  if (entered.state === "is signed in") return next;
  if (entered.state === "signed in") {
    sendSession(context, accounts, entered);
    return next;
  }
  sendHalf(context, accounts, entered);
  return `/app/second-step?next=${encodeURIComponent(next)}`;
}

export function sendSession(
  context: Context,
  accounts: Accounts,
  { userId, cookie, maxAgeSeconds }: { userId: string; cookie: string; maxAgeSeconds: number },
): void {
  setCookie(context, accounts, { use: "session", value: cookie, maxAgeSeconds });
  setReaderCookie(context, accounts, maxAgeSeconds);
  sendKnownBrowser(context, accounts, userId);
}
