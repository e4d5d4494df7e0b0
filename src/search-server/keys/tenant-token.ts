/**
 * Tenant tokens: JSON Web Tokens (RFC 7515, HS256, HS384 or HS512) that the holder of a key signs with it, so
 * that others can search with fewer rights than the key has.
 *
 *     base64url({"alg":"HS256","typ":"JWT"}) . base64url({"apiKeyUid":"…","searchRules":{…},"exp":1700000000}) . base64url(HMAC)
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod";
import type { ApiKey, KeyStore } from "./key-store.ts";
import { type SearchRules, searchRulesSchema } from "./search-rules.ts";

/** Only these: "none" means no signature, and a public key is not secret. */
const DIGESTS = { HS256: "sha256", HS384: "sha384", HS512: "sha512" } as const;

const headerSchema = z.strictObject({
  alg: z.enum(["HS256", "HS384", "HS512"]),
  typ: z.string().optional(),
  kid: z.string().optional(),
});
/** Other claims (`iat`, `sub`) are ignored. */
const signerSchema = z.object({ apiKeyUid: z.uuid() });
const claimsSchema = z.object({
  searchRules: searchRulesSchema,
  /** Seconds since 1970. */
  exp: z.number().nullish(),
});

export interface TenantToken {
  key: ApiKey;
  rules: SearchRules;
  /** Seconds since 1970; null: as long as the key. */
  expiresAt: number | null;
}

/**
 * A token signed with one of the server's keys; null for anything else. Whether it has expired is not
 * checked.
 */
export function readTenantToken(text: string, keys: KeyStore): TenantToken | null {
  const parts = text.split(".", 4);
  const [header = "", payload = "", signature = ""] = parts;
  if (parts.length !== 3) return null;
  const head = headerSchema.safeParse(parsePart(header));
  if (!head.success) return null;
  const json = parsePart(payload);
  const signer = signerSchema.safeParse(json);
  const key = signer.success ? keys.findByUid(signer.data.apiKeyUid.toLowerCase()) : undefined;
  if (!key) return null;
  const expected = createHmac(DIGESTS[head.data.alg], key.value).update(`${header}.${payload}`).digest();
  const given = Buffer.from(signature, "base64url");
  if (given.byteLength !== expected.byteLength || !timingSafeEqual(given, expected)) return null;
  // The rest is read only once the signature is verified: there may be many rules.
  const claims = claimsSchema.safeParse(json);
  if (!claims.success) return null;
  return { key, rules: claims.data.searchRules, expiresAt: claims.data.exp ?? null };
}

function parsePart(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
