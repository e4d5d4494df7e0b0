import { hash as digest, randomBytes } from "node:crypto";
import type { Context } from "hono";
import type { AddressOf } from "#platform/http/addresses/client-address.ts";

/** The salt is replaced after this time, which makes all earlier keys meaningless. */
const SALT_MS = 3_600_000;

/**
 * Keys for one reader's actions within minutes: the address and the browser, so that an office is not one reader. They are
 * salted hashes, only in memory. The salt is random, is replaced after a time and never written, so that no key can be
 * reversed or compared with a later one.
 */
export function createReaderKeys(addressOf: AddressOf, clock: () => number): (context: Context) => string {
  let salt = randomBytes(16).toString("hex");
  let saltedAt = clock();
  return (context) => {
    if (Math.abs(clock() - saltedAt) > SALT_MS) {
      salt = randomBytes(16).toString("hex");
      saltedAt = clock();
    }
    const [userAgent, language] = [context.req.header("user-agent"), context.req.header("accept-language")];
    // One call to the hash: it runs for every search, which takes a fraction of a millisecond.
    const text = `${salt} ${addressOf(context)} ${userAgent} ${language}`;
    return digest("sha256", text, "base64url").slice(0, 16);
  };
}
