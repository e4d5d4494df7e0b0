/**
 * Tokens that open a tunnel to the builder endpoint. A token names a build, its platform and an expiry time, and only the servers of
 * this installation can create it. It does not give access to a builder: that takes the build's certificate, inside the tunnel.
 */
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { CLOCKS_DIFFER_MS, readBuildName } from "./certificates.ts";

const MAX_LENGTH = 300;
const FORM = /^([\w-]{1,200})\.([\w-]{43})$/;

export interface TunnelTokens {
  /** @param until milliseconds since 1970 */
  sign: (buildId: string, platform: string, until: number) => string;
  /** Null: the token is invalid or has expired. */
  read: (token: string) => { buildId: string; platform: string } | null;
}

/** @public for the start of the room */
export function createTunnelTokens(secretKey: Uint8Array, clock: () => number): TunnelTokens {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", "millrace builders' tunnel", 32));
  const sumOf = (text: string) => createHmac("sha256", key).update(text).digest();
  return {
    sign(buildId, platform, until) {
      const text = Buffer.from(`${until} ${buildId} ${platform}`).toString("base64url");
      return `${text}.${sumOf(text).toString("base64url")}`;
    },
    read(token) {
      const [, text = "", sum = ""] = (token.length <= MAX_LENGTH && FORM.exec(token)) || [];
      const given = Buffer.from(sum, "base64url");
      const right = sumOf(text);
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
      const [, until, name] = /^(\d{1,16}) (.+)$/.exec(Buffer.from(text, "base64url").toString()) ?? [];
      return Number(until) + CLOCKS_DIFFER_MS > clock() ? readBuildName(name) : null;
    },
  };
}
