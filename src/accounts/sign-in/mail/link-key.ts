/**
 * Keys of links that sign in once: twelve characters that people can read to each other (Crockford's Base32), 60 random bits.
 * They live for an hour at most, guessing is limited, and the database has only an HMAC, so that a reader of the database
 * cannot try all keys.
 *
 *     4F7Q-2MXR-9KTD
 */
import { createHmac } from "node:crypto";
import type { Accounts } from "../../contract/accounts.ts";
import { deriveKey } from "../browser/signed-state.ts";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 12;
const FORM = /^[0-9A-HJKMNP-TV-Z]{12}$/;
const MAX_TYPED = 40;

export function newLinkKey({ randomBytes }: Pick<Accounts, "randomBytes">): string {
  const key = [...randomBytes(LENGTH)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("");
  return key.replace(/(.{4})(?=.)/g, "$1-");
}

/** The key's hash in the database. @returns null when it cannot be a key */
export function hashLinkKey(accounts: Pick<Accounts, "secretKey">, typed: string): string | null {
  if (typed.length > MAX_TYPED) return null;
  const key = typed.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  if (!FORM.test(key)) return null;
  return createHmac("sha256", deriveKey(accounts, "link")).update(key).digest("base64url");
}
