/**
 * The state after the first of two steps: a signed cookie, for ten minutes, that opens nothing but the second step.
 *
 *   link, provider, passkey without a check ─► cookie ─► /app/second-step ─► POST /auth/second-step ─► session
 */
import type { Context } from "hono";
import * as z from "zod";
import type { Accounts } from "../../contract/accounts.ts";
import { askDatabase } from "../../contract/database-away.ts";
import { randomKey } from "../../contract/ids.ts";
import { Refused } from "../../contract/refused.ts";
import { findTwoStepped } from "../../two-step/two-step.ts";
import { findCookie, setCookie } from "./cookies.ts";
import { isUsed, readState, signState, useOnce } from "./signed-state.ts";

/**
 * Milliseconds from the first step of a sign-in to the second.
 * @public A test compares it with what the page about security says.
 */
export const HALF_LIFETIME_MS = 10 * 60_000;
const ID_LENGTH = 24;
export const ENTRY_METHODS = [
  "owner link",
  "mail",
  "passkey",
  "invitation",
  "oidc",
  "github",
  "first start",
] as const;

const halfSchema = z.object({
  id: z.string(),
  userId: z.string(),
  method: z.enum(ENTRY_METHODS),
  at: z.int(),
});
export type HalfSignIn = z.infer<typeof halfSchema>;

export function sendHalf(
  context: Context,
  accounts: Accounts,
  { userId, method }: Pick<HalfSignIn, "userId" | "method">,
): void {
  const data: HalfSignIn = {
    id: randomKey(ID_LENGTH, accounts.randomBytes),
    userId,
    method,
    at: accounts.clock(),
  };
  const value = signState(accounts, "second-step", { data, lifetimeMs: HALF_LIFETIME_MS });
  setCookie(context, accounts, { use: "second", value, maxAgeSeconds: HALF_LIFETIME_MS / 1000 });
}

/** @throws Refused `unauthenticated` when it has ended, also because the person has signed out everywhere */
export async function requireHalf(
  context: Context,
  accounts: Accounts,
): Promise<HalfSignIn & { name: string }> {
  const text = findCookie(context, accounts, "second") ?? "";
  const half = readState(accounts, "second-step", { text, schema: halfSchema });
  if (!half) throw overHalf();
  const user = await askDatabase(async () => {
    const isStepped = (await findTwoStepped(accounts.db, [half.userId])).size > 0;
    // Before a code is checked: a code that was used up in vain would be lost.
    if (!isStepped || (await isUsed(accounts, useOf(half)))) return undefined;
    const query = accounts.db.selectFrom("users").select(["name", "browsers_known_since"]);
    return query.where("id", "=", half.userId).executeTakeFirst();
  });
  if (!user || (user.browsers_known_since ?? 0) > half.at) throw overHalf();
  return { ...half, name: user.name };
}

/** Uses it up. @throws Refused `unauthenticated` when another request was faster */
export async function useHalf(accounts: Accounts, half: HalfSignIn): Promise<void> {
  if (!(await askDatabase(() => useOnce(accounts, useOf(half), HALF_LIFETIME_MS)))) throw overHalf();
}

const useOf = ({ id }: HalfSignIn): string => `second-step.${id}`;

const overHalf = () => new Refused("unauthenticated", "this sign-in took too long or is over; sign in again");
