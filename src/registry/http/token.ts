/**
 * Tokens of `/v2/token`, which clients get for their user name and password and use for some minutes. A token contains the
 * shown token, encrypted, and its repositories. Nothing is stored, and revoking the shown token also ends it. A builder that
 * gets one to push one image learns no token of an organization.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { z } from "zod";
import { TOKEN_SECONDS } from "../contract/limits.ts";
import type { Scope } from "../contract/registry.ts";

const PREFIX = "mrr_";
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Longer tokens are not ours. */
const MAX_LENGTH = 8_192;
const MAX_REMEMBERED = 10_000;
/** Longer tokens are opened each time: tokens for many repositories would take 100 MB. */
const MAX_REMEMBERED_LENGTH = 1_024;

const contentSchema = z.object({
  /** The token that was shown. */
  t: z.string(),
  /** Repositories with their rights: `[["acme/web", "pull,push"]]`. */
  s: z.array(z.tuple([z.string(), z.string()])),
  /** Seconds since 1970. */
  e: z.number(),
});

export interface OpenedToken {
  shown: string;
  scopes: readonly Scope[];
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export interface ScopedTokens {
  /** Lives `TOKEN_SECONDS`. */
  seal(token: Pick<OpenedToken, "shown" | "scopes">): string;
  /** @returns null for a token that is not ours, or has expired */
  open(text: string): OpenedToken | null;
}

export const isScopedToken = (text: string): boolean => text.startsWith(PREFIX);

export function createScopedTokens(secretKey: Uint8Array, clock: () => number): ScopedTokens {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", "millrace registry token", 32));
  const opened = new Map<string, OpenedToken>();
  return {
    seal({ shown, scopes }) {
      const content: z.infer<typeof contentSchema> = {
        t: shown,
        s: scopes.map(({ name, rights }) => [name, rights.join(",")]),
        e: Math.floor(clock() / 1000) + TOKEN_SECONDS,
      };
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, iv);
      const sealed = Buffer.concat([cipher.update(JSON.stringify(content), "utf8"), cipher.final()]);
      return PREFIX + Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString("base64url");
    },
    open(text) {
      const known = opened.get(text) ?? decrypt(key, text);
      if (!known) return null;
      if (known.expiresAt <= clock()) {
        opened.delete(text);
        return null;
      }
      if (text.length > MAX_REMEMBERED_LENGTH) return known;
      opened.set(text, known);
      // A Map iterates in insertion order.
      if (opened.size > MAX_REMEMBERED) opened.delete(opened.keys().next().value!);
      return known;
    },
  };
}

function decrypt(key: Buffer, text: string): OpenedToken | null {
  if (text.length > MAX_LENGTH) return null;
  const bytes = Buffer.from(text.slice(PREFIX.length), "base64url");
  if (bytes.length <= IV_BYTES + TAG_BYTES) return null;
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const json =
      decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
    const { t, s, e } = contentSchema.parse(JSON.parse(json));
    const scopes = s.map(([name, rights]): Scope => {
      const named = new Set(rights.split(","));
      return { name, rights: (["pull", "push"] as const).filter((right) => named.has(right)) };
    });
    return { shown: t, scopes, expiresAt: e * 1000 };
  } catch {
    return null;
  }
}
