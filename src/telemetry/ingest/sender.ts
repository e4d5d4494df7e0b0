import { hash as digest, randomBytes } from "node:crypto";
import type { Context } from "hono";
import { type AddressOf, addressKey } from "#platform/http/client-address.ts";

/** Unless told otherwise, the salt is replaced after this time, which makes all earlier keys meaningless. */
const SALT_MS = 3_600_000;

export interface SenderKeys {
  /** For limits: the address; for IPv6, the network that one connection is given. */
  ofAddress: (context: Context) => string;
  /** For what one reader does within minutes: the address and the browser, so that an office is not one reader. */
  ofReader: (context: Context) => string;
}

/**
 * Keys that exist in memory only: salted hashes. The salt is random, is replaced after a time and never written, so that no
 * key can be turned back or compared with a later one.
 * @param saltMs for what is limited for longer than an hour
 */
export function createSenderKeys(
  addressOf: AddressOf,
  clock: () => number,
  saltMs: number = SALT_MS,
): SenderKeys {
  let salt = randomBytes(16).toString("hex");
  let saltedAt = clock();
  function hash(text: string): string {
    if (clock() - saltedAt > saltMs) {
      salt = randomBytes(16).toString("hex");
      saltedAt = clock();
    }
    // One call to the hash: this runs in every search, which takes a fraction of a millisecond.
    return digest("sha256", `${salt} ${text}`, "base64url").slice(0, 16);
  }
  return {
    ofAddress: (context) => hash(addressKey(addressOf(context))),
    ofReader(context) {
      const [userAgent, language] = [context.req.header("user-agent"), context.req.header("accept-language")];
      return hash(`${addressOf(context)} ${userAgent} ${language}`);
    },
  };
}
