/**
 * A browser in which a person has signed in keeps a signed cookie, so that strangers who ask for links to the same address do
 * not block it. The cookie lets no one in. "Sign out everywhere" ends all cookies of a person.
 */
import type { Context } from "hono";
import * as z from "zod";
import type { Accounts } from "../../contract/accounts.ts";
import { askDatabase } from "../../contract/database-away.ts";
import { randomKey } from "../../contract/ids.ts";
import { DAY_MS } from "../../contract/limits.ts";
import { findCookie, setCookie } from "./cookies.ts";
import { readState, signState } from "./signed-state.ts";

const KNOWN_BROWSER_MS = 180 * DAY_MS;
const ID_LENGTH = 16;

const knownSchema = z.object({ user: z.string(), browser: z.string(), since: z.int() });

export function sendKnownBrowser(context: Context, accounts: Accounts, userId: string): void {
  const former = readKnown(context, accounts);
  const browser = former?.user === userId ? former.browser : randomKey(ID_LENGTH, accounts.randomBytes);
  const data: z.infer<typeof knownSchema> = { user: userId, browser, since: accounts.clock() };
  const value = signState(accounts, "browser", { data, lifetimeMs: KNOWN_BROWSER_MS });
  setCookie(context, accounts, { use: "browser", value, maxAgeSeconds: KNOWN_BROWSER_MS / 1000 });
}

/** @returns the browser's id, when the person with this address has signed in with it; otherwise null */
export async function findKnownBrowser(
  context: Context,
  accounts: Accounts,
  mail: string,
): Promise<string | null> {
  const known = readKnown(context, accounts);
  if (!known) return null;
  const user = await askDatabase(() =>
    accounts.db
      .selectFrom("users")
      .select(["mail", "browsers_known_since"])
      .where("id", "=", known.user)
      .executeTakeFirst(),
  );
  const isIts = user?.mail === mail && known.since > (user.browsers_known_since ?? 0);
  return isIts ? known.browser : null;
}

function readKnown(context: Context, accounts: Accounts): z.infer<typeof knownSchema> | null {
  const text = findCookie(context, accounts, "browser") ?? "";
  return readState(accounts, "browser", { text, schema: knownSchema });
}
