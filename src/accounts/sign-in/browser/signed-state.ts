/**
 * State that a browser carries between two related requests: signed instead of stored, so that any replica can finish what
 * another began. Its holder can read it, so it contains no secrets of the server.
 *
 *   eyJwIjoi…payload…   .   Qm9…HMAC-SHA-256
 *   { p: purpose, e: end, d: data }
 */
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { ZodType } from "zod";
import { takeLease } from "#platform/database/lease.ts";
import type { Accounts } from "../../contract/accounts.ts";
import { newId } from "../../contract/ids.ts";

/** A state of one purpose does not count for another. */
export type StatePurpose =
  | "passkey-new"
  | "passkey-sign-in"
  | "passkey-second-step"
  | "passkey-confirm"
  | "second-step"
  | "totp"
  | "provider"
  | "mail"
  | "browser"
  | "work";

/** For a state in a request. */
export const MAX_STATE_LENGTH = 4000;
const USED_PREFIX = "used-state.";

type Signer = Pick<Accounts, "secretKey" | "clock">;

export function signState(
  accounts: Signer,
  purpose: StatePurpose,
  { data, lifetimeMs }: { data: unknown; lifetimeMs: number },
): string {
  const state = { p: purpose, e: accounts.clock() + lifetimeMs, d: data };
  const payload = Buffer.from(JSON.stringify(state)).toString("base64url");
  return `${payload}.${macOf(accounts, payload).toString("base64url")}`;
}

/** @returns null for a text that is not signed here, has expired, or has another purpose or shape */
export function readState<Data>(
  accounts: Signer,
  purpose: StatePurpose,
  { text, schema }: { text: string; schema: ZodType<Data> },
): Data | null {
  const [payload = "", mac = "", ...more] = text.length > MAX_STATE_LENGTH ? [] : text.split(".");
  const expected = macOf(accounts, payload);
  const given = Buffer.from(mac, "base64url");
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  // Written by `signState`.
  const state = JSON.parse(Buffer.from(payload, "base64url").toString()) as {
    p: string;
    e: number;
    d: unknown;
  };
  if (state.p !== purpose || state.e <= accounts.clock()) return null;
  return schema.safeParse(state.d).data ?? null;
}

/**
 * Notes that something signed was used, in the table of leases: the first caller on any replica gets it. Called only after
 * everything else was valid, so that strangers cannot fill the table.
 * @returns whether no one has used it before
 */
export async function useOnce(
  accounts: Pick<Accounts, "db" | "clock" | "randomBytes">,
  name: string,
  lifetimeMs: number,
): Promise<boolean> {
  const now = accounts.clock();
  await accounts.db
    .deleteFrom("leases")
    .where("name", ">=", USED_PREFIX)
    .where("name", "<", `${USED_PREFIX}~`)
    .where("expires_at", "<=", now)
    .execute();
  return takeLease(accounts.db, {
    name: USED_PREFIX + name,
    holder: newId("sgn", accounts.randomBytes),
    now,
    lastsMs: lifetimeMs,
  });
}

/** Whether `useOnce` has noted it. */
export async function isUsed({ db, clock }: Pick<Accounts, "db" | "clock">, name: string): Promise<boolean> {
  const row = await db
    .selectFrom("leases")
    .select("name")
    .where("name", "=", USED_PREFIX + name)
    .where("expires_at", ">", clock())
    .executeTakeFirst();
  return row !== undefined;
}

function macOf(accounts: Signer, payload: string): Buffer {
  return createHmac("sha256", deriveKey(accounts, "state")).update(payload).digest();
}

/** A key for one use, from the server's secret key. */
export function deriveKey({ secretKey }: Pick<Accounts, "secretKey">, use: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secretKey, "", `millrace accounts ${use}`, 32));
}
