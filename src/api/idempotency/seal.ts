/**
 * Encrypts a stored answer, because it may contain a new token.
 *
 *   key_hash  SHA-256 of token, method and Idempotency-Key                 the row's key
 *   key       HKDF-SHA-256 of the token, with Idempotency-Key and method   stored nowhere
 *   sealed    nonce, AES-256-GCM of (SHA-256 of the request, answer), tag  Base64 for addresses
 *
 * A reader of the database can open it only with the caller's token (or cookie), which has 190 random bits.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { invalidArgument } from "../calls/errors.ts";
import { MAX_IDEMPOTENCY_KEY_LENGTH } from "../calls/limits.ts";

/** The key of a stored answer. */
export interface AnswerKey {
  /** The caller's token or cookie. */
  credential: string;
  /** `/millrace.v1.ProjectService/Create` */
  method: string;
  idempotencyKey: string;
}

export interface KeptAnswer {
  /** SHA-256. */
  requestHash: Uint8Array;
  answer: Uint8Array;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HASH_BYTES = 32;

/** @returns null without one. @throws ConnectError when it is too long or not printable */
export function readIdempotencyKey(headers: Headers): string | null {
  const key = headers.get("idempotency-key");
  if (key === null) return null;
  if (key.length > 0 && key.length <= MAX_IDEMPOTENCY_KEY_LENGTH && /^[\x20-\x7e]*$/.test(key)) return key;
  const message = `An Idempotency-Key must have 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} printable ASCII characters.`;
  throw invalidArgument(message, "Idempotency-Key");
}

export function hashKey({ credential, method, idempotencyKey }: AnswerKey): string {
  const hash = createHash("sha256").update("millrace api answer\0");
  // None of these contains NUL.
  return hash.update([credential, method, idempotencyKey].join("\0")).digest("base64url");
}

export function seal(key: AnswerKey, { requestHash, answer }: KeptAnswer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, deriveKey(key), nonce);
  const sealed = [cipher.update(requestHash), cipher.update(answer), cipher.final()];
  return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString("base64url");
}

/** @throws Error when it was sealed with another key, or modified */
export function unseal(key: AnswerKey, text: string): KeptAnswer {
  const sealed = Buffer.from(text, "base64url");
  const decipher = createDecipheriv(CIPHER, deriveKey(key), sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const plain = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  return { requestHash: plain.subarray(0, HASH_BYTES), answer: plain.subarray(HASH_BYTES) };
}

function deriveKey({ credential, method, idempotencyKey }: AnswerKey): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", credential, idempotencyKey, `millrace ${method}`, 32));
}
