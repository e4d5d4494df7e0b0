/**
 * The text of a token: its type, 190 random bits, and a checksum, so that a mistyped or truncated token is distinguished from
 * a revoked one without asking the database.
 *
 *     mr_org_ 9fK2…32 characters… 0a4Bz9
 *     prefix  random              CRC-32 of everything before, in base 62
 */
import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { randomKey, type RandomBytes } from "./ids.ts";
import { MAX_TOKEN_LENGTH } from "./limits.ts";
import type { TokenType } from "../records/schema.ts";

const PREFIXES: Record<TokenType, string> = {
  user: "mr_user_",
  org: "mr_org_",
  project: "mr_prj_",
  job: "mr_job_",
};
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const FORM = /^mr_(?:user|org|prj|job)_[0-9A-Za-z]{38}$/;
/** Allowed values of MILLRACE_OWNER_TOKEN. */
const OWNER_TOKEN_FORM = /^mr_user_[0-9A-Za-z_-]{32,}$/;

export function makeToken(type: TokenType, randomBytes: RandomBytes): string {
  return completeToken(type, randomKey(RANDOM_LENGTH, randomBytes));
}

/** The token with these 32 random characters of `0-9A-Za-z`. */
export function completeToken(type: TokenType, random: string): string {
  const body = PREFIXES[type] + random;
  return body + checksum(body);
}

/** Whether the checksum is right; if not, the token was mistyped or truncated. */
export function isWellFormedToken(text: string): boolean {
  return FORM.test(text) && checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

export function isOwnerTokenForm(text: string): boolean {
  return text.length <= MAX_TOKEN_LENGTH && OWNER_TOKEN_FORM.test(text);
}

/** SHA-256, Base64 for addresses: the form of tokens, cookies and keys of links in the database. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "base64url");
}

/**
 * The form of a project's read-only token in the database. A server of the previous release does not check whether a
 * project's token is read-only, and would let it write: it must not find the token.
 */
export const hashReader = (secret: string): string => hashSecret(`read-only ${secret}`);

function checksum(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    text = DIGITS.charAt(rest % DIGITS.length) + text;
    rest = Math.floor(rest / DIGITS.length);
  }
  return text;
}
