/**
 * Keys of links that sign in once: twelve characters that people can read to each other (Crockford's Base32), 60
 * random bits. They live for an hour at most and guessing is limited, and the database has only an HMAC, so that
 * somebody who reads it cannot try all of them.
 *
 *     4F7Q-2MXR-9KTD
 */
import { createHmac } from "node:crypto";
import type { Accounts } from "../../accounts.ts";
import { deriveKey } from "../signed-state.ts";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 12;
const FORM = /^[0-9A-HJKMNP-TV-Z]{12}$/;
const MAX_TYPED = 40;

export function newLinkKey({ randomBytes }: Pick<Accounts, "randomBytes">): string {
  const key = [...randomBytes(LENGTH)].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("");
  return key.replace(/(.{4})(?=.)/g, "$1-");
}

/** How the database knows it. @returns null when it can be no key */
export function hashLinkKey(accounts: Pick<Accounts, "secretKey">, typed: string): string | null {
  if (typed.length > MAX_TYPED) return null;
  const key = typed.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
  if (!FORM.test(key)) return null;
  return createHmac("sha256", deriveKey(accounts, "link")).update(key).digest("base64url");
}
