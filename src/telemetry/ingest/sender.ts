import { hash as digest, randomBytes } from "node:crypto";
import { isIP } from "node:net";
import type { Context } from "hono";
import type { Sender } from "./clean-text.ts";

/** The salt is as old as this at most; with it what was keyed by it is forgotten. */
const saltMilliseconds = 3_600_000;

/** What @hono/node-server adds to a request. */
interface NodeEnvironment {
  incoming?: { socket?: { remoteAddress?: string } };
}

/** The address of the connection; null in tests without one. */
export function socketAddress(context: Context): string | null {
  // `env` is what the adapter passes, typed by nobody.
  const { incoming } = (context.env ?? {}) as NodeEnvironment;
  return incoming?.socket?.remoteAddress?.replace(/^::ffff:/, "") ?? null;
}

const privateAddress = /^(?:10\.|127\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::1$|f[cd][0-9a-f]{2}:)/i;

/**
 * Who sends. Behind a proxy of one's own the connection is the proxy's, and the last address that it added to
 * `X-Forwarded-For` is the reader's.
 */
export function senderOf(context: Context): Sender {
  const direct = socketAddress(context);
  const forwarded = context.req.header("x-forwarded-for")?.split(",").at(-1)?.trim();
  const isProxied =
    forwarded !== undefined && isIP(forwarded) !== 0 && (direct === null || privateAddress.test(direct));
  return {
    address: isProxied ? forwarded : direct,
    userAgent: context.req.header("user-agent") ?? null,
  };
}

export interface SenderKeys {
  /** For limits: the address. */
  ofAddress: (context: Context) => string;
  /** For what one reader does within minutes: the address and the browser, so that an office is not one reader. */
  ofReader: (context: Context) => string;
}

/**
 * Keys that exist in memory only: salted hashes. The salt is random, changes every hour and is never written, so that no
 * key can be turned back or compared with a later one.
 */
export function createSenderKeys(clock: () => number): SenderKeys {
  let salt = randomBytes(16).toString("hex");
  let saltedAt = clock();
  function hash(text: string): string {
    if (clock() - saltedAt > saltMilliseconds) {
      salt = randomBytes(16).toString("hex");
      saltedAt = clock();
    }
    // In one call: a search takes a fraction of a millisecond, and this is on its way.
    return digest("sha256", `${salt} ${text}`, "base64url").slice(0, 16);
  }
  return {
    ofAddress: (context) => hash(senderOf(context).address ?? "unknown"),
    ofReader(context) {
      const { address, userAgent } = senderOf(context);
      return hash(`${address} ${userAgent} ${context.req.header("accept-language")}`);
    },
  };
}
