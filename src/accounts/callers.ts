/**
 * Who asks the cache and the registry, over HTTP and gRPC alike: a token, as `Bearer`, or as the password of `Basic` with any user name. Cookies do not
 * count.
 *
 * An address with many wrong tokens must not make the database look up more of them, and a job with a good token behind the
 * same address must not notice: tokens that were good before are let through. Only their hashes are kept.
 */
import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { addressKey } from "#platform/http/client-address.ts";
import { createRateLimit } from "#platform/http/rate-limit.ts";
import type { Accounts } from "./accounts.ts";
import type { Actor } from "./actor.ts";
import { hearRefusal } from "./events/hear-refusal.ts";
import { identify } from "./identify.ts";
import { MAX_AUTHORIZATION_LENGTH, MAX_GOOD_TOKENS, REFUSED_RATE } from "./limits.ts";
import { Refused } from "./refused.ts";

export interface Asking {
  /** Null if unknown. */
  address: string | null;
  /** As the tool names it; wins over the header `Millrace-Org`. */
  organization?: string | undefined;
  /** Where it asks, for those who are told of refusals. */
  at?: string | undefined;
}

export interface Callers {
  /** @throws Refused, TooManyWrongTokensError */
  identify(headers: IncomingHttpHeaders, asking: Asking): Promise<Actor>;
}

export class TooManyWrongTokensError extends Error {
  /** Until this client may show another one. */
  readonly seconds: number;
  constructor(seconds: number) {
    super(`too many requests from this address had no valid token; try again in ${seconds} s`);
    this.seconds = seconds;
  }
}

export interface CallersOptions {
  /** Multiplies how many wrong tokens one client may show; 0 removes the limit. Default 1. */
  rateLimitFactor?: number;
  clock?: () => number;
}

export function createCallers(accounts: Accounts, options: CallersOptions = {}): Callers {
  const tokens = createGoodTokens(options);
  return {
    async identify(headers, { address, organization, at }) {
      const shown = readToken(headers.authorization ?? "");
      const seconds = tokens.wait(address, shown);
      if (seconds > 0) throw new TooManyWrongTokensError(seconds);
      const named = organization ?? headers["millrace-org"]?.toString();
      try {
        const actor = await identify(accounts, { bearer: shown, organization: named }, address);
        tokens.noteGood(shown, actor);
        return actor;
      } catch (error) {
        if (error instanceof Refused) {
          if (error.code === "unauthenticated") tokens.noteBad(address);
          hearRefusal(accounts, {
            refused: error,
            actor: null,
            shown,
            address: address ?? "",
            ...(at !== undefined && { at }),
          });
        }
        throw error;
      }
    },
  };
}

function readToken(authorization: string): string {
  if (authorization.length > MAX_AUTHORIZATION_LENGTH) return "";
  const space = authorization.indexOf(" ");
  const scheme = authorization.slice(0, space).toLowerCase();
  const value = authorization.slice(space + 1).trim();
  if (scheme === "bearer") return value;
  if (scheme !== "basic") return "";
  const pair = Buffer.from(value, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return colon < 0 ? "" : pair.slice(colon + 1);
}

interface GoodTokens {
  /** @returns 0, or the seconds that whoever shows it has to wait */
  wait(address: string | null, token: string): number;
  noteGood(token: string, actor: Actor): void;
  noteBad(address: string | null): void;
}

function createGoodTokens({ rateLimitFactor: factor = 1, clock = Date.now }: CallersOptions): GoodTokens {
  if (factor === 0) return { wait: () => 0, noteGood() {}, noteBad() {} };
  const { perMinute, burst } = REFUSED_RATE;
  const refusals = createRateLimit({
    perMinute: perMinute * factor,
    burst: Math.max(1, burst * factor),
    clock,
  });
  const good = new Set<string>();
  /** Whose tokens are noted: accounts answer with the same object for some seconds, and hashing takes longer. */
  const noted = new WeakSet<Actor>();
  const hashOf = (token: string) => hash("sha256", token, "base64");
  return {
    wait(address, token) {
      const seconds = refusals.wait(addressKey(address));
      return seconds > 0 && !good.has(hashOf(token)) ? seconds : 0;
    },
    noteGood(token, actor) {
      if (noted.has(actor)) return;
      noted.add(actor);
      const hashed = hashOf(token);
      if (good.has(hashed)) return;
      good.add(hashed);
      // The set's order is the order of adding.
      if (good.size > MAX_GOOD_TOKENS) good.delete(good.values().next().value!);
    },
    noteBad: (address) => void refusals.take(addressKey(address)),
  };
}
