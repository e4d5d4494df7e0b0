/**
 * An address with many wrong tokens must not make the database look up more of them, and a job with a good token behind the
 * same address must not notice: tokens that were good before are let through. Only their hashes are kept.
 */
import { hash } from "node:crypto";
import { addressKey } from "#platform/http/client-address.ts";
import { createRateLimit } from "#platform/http/rate-limit.ts";
import { REFUSED_RATE } from "../limits.ts";
import { MAX_GOOD_TOKENS } from "./limits.ts";

export interface GoodTokens {
  /** @returns 0, or the seconds that whoever shows it has to wait */
  wait(address: string | null, token: string): number;
  noteGood(token: string): void;
  noteBad(address: string | null): void;
}

/** @param factor multiplies what is allowed; 0: no limit */
export function createGoodTokens(factor: number): GoodTokens {
  if (factor === 0) return { wait: () => 0, noteGood() {}, noteBad() {} };
  const { perMinute, burst } = REFUSED_RATE;
  const refusals = createRateLimit({ perMinute: perMinute * factor, burst: Math.max(1, burst * factor) });
  const good = new Set<string>();
  const hashOf = (token: string) => hash("sha256", token, "base64");
  return {
    wait(address, token) {
      const seconds = refusals.wait(addressKey(address));
      return seconds > 0 && !good.has(hashOf(token)) ? seconds : 0;
    },
    noteGood(token) {
      const hashed = hashOf(token);
      if (good.has(hashed)) return;
      good.add(hashed);
      // The set's order is the order of adding.
      if (good.size > MAX_GOOD_TOKENS) good.delete(good.values().next().value!);
    },
    noteBad: (address) => void refusals.take(addressKey(address)),
  };
}
