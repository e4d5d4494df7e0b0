/**
 * Decides once for each request who sends it, before anything of it is read:
 *
 *     no header ─────────────────────────→ a stranger: public indexes only, else 401
 *     Bearer <value of a key> ───────────→ that key's rights, until it is deleted or expires
 *     Bearer <token signed with a key> ──→ searches, by the token's rules and never beyond its key
 *     Bearer <SEARCH_ADMIN_KEY> ─────────→ everything
 *     anything else ─────────────────────→ a stranger, else 403; after some of these from one address 429
 *
 * Values of keys and signatures have 256 bits and cannot be guessed, so they are accepted even from an
 * address that has sent many wrong ones, and an attacker behind a shared proxy locks no one out. The operator
 * chooses the master key: from such an address it is not even compared.
 */
import type { Context } from "hono";
import type { AddressOf } from "#platform/http/addresses/client-address.ts";
import { createNetworkLimit } from "#platform/http/limits/network-limit.ts";
import { ApiError } from "../protocol/errors.ts";
import {
  type Access,
  invalidKey,
  keyAccess,
  keylessAccess,
  MASTER_ACCESS,
  strangerAccess,
} from "./access.ts";
import type { KeyStore } from "./key-store.ts";
import { MAX_CREDENTIAL_LENGTH, WRONG_KEYS_PER_MINUTE } from "../protocol/limits.ts";
import { readTenantToken } from "./tenant-token.ts";

export interface GatekeeperOptions {
  /** Null: the server has no master key, and therefore no keys. */
  keys: KeyStore | null;
  /** Indexes that anyone may search, with or without a key. */
  publicIndexes: readonly string[];
  addressOf: AddressOf;
}

export type Identify = (context: Context) => Access;

export interface Gatekeeper {
  identify: Identify;
  /** The key in a request, or the one that its tenant token is signed with; null: no valid key. */
  keyOf: (context: Context) => string | null;
}

function tooManyWrongKeys(seconds: number): ApiError {
  return new ApiError(
    "too_many_requests",
    `Too many wrong API keys were sent from this address. Try again in ${seconds} s.`,
    { retryAfterSeconds: seconds },
  );
}

export function createGatekeeper({ keys, publicIndexes, addressOf }: GatekeeperOptions): Gatekeeper {
  const isPublic = (uid: string) => publicIndexes.includes(uid);
  if (!keys) {
    const keyless = keylessAccess(isPublic);
    return { identify: () => keyless, keyOf: () => null };
  }
  const wrongKeys = createNetworkLimit({ perMinute: WRONG_KEYS_PER_MINUTE, clock: keys.clock });
  const nobody = strangerAccess(
    isPublic,
    () =>
      new ApiError(
        "missing_authorization_header",
        "The Authorization header is missing. It must use the bearer authorization method.",
      ),
  );
  const known = strangerAccess(isPublic, invalidKey);

  /** Counted only where it is refused: searches of public indexes may send any header. */
  function wrong(context: Context): Access {
    return strangerAccess(isPublic, () => {
      const seconds = wrongKeys.take(addressOf(context));
      return seconds > 0 ? tooManyWrongKeys(seconds) : invalidKey();
    });
  }

  function tenantAccess(value: string, now: number): Access | null {
    const token = readTenantToken(value, keys!);
    if (!token) return null;
    const { key, rules, expiresAt } = token;
    const seconds = Math.floor(now / 1000);
    if (expiresAt !== null && seconds > expiresAt) return expired(isPublic, expiresAt, seconds);
    return isOver(key.expiresAt, now) ? known : keyAccess(key, isPublic, rules);
  }

  const isMaster = (value: string, context: Context) =>
    wrongKeys.wait(addressOf(context)) === 0 && keys.isMasterKey(value);

  function identify(context: Context): Access {
    const value = shownIn(context);
    if (value === undefined) return nobody;
    if (value === null) return wrong(context);
    const now = keys!.clock();
    const key = keys!.findByValue(value);
    if (key) return isOver(key.expiresAt, now) ? known : keyAccess(key, isPublic);
    const tenant = tenantAccess(value, now);
    if (tenant) return tenant;
    return isMaster(value, context) ? MASTER_ACCESS : wrong(context);
  }

  function keyOf(context: Context): string | null {
    const value = shownIn(context);
    if (!value) return null;
    const now = keys!.clock();
    const tenant = readTenantToken(value, keys!);
    if (tenant?.expiresAt && now > tenant.expiresAt * 1000) return null;
    const key = keys!.findByValue(value) ?? tenant?.key;
    if (key) return isOver(key.expiresAt, now) ? null : key.record.uid;
    return isMaster(value, context) ? MASTER_KEY : null;
  }

  return { identify, keyOf };
}

/** As `keyOf` names it; uids are UUIDs. */
const MASTER_KEY = "master";

/** @returns the credential in a request; undefined: none, null: too long to be read */
function shownIn(context: Context): string | null | undefined {
  const header = context.req.header("authorization");
  if (header === undefined || !/^bearer(?: |$)/i.test(header)) return undefined;
  return header.length > MAX_CREDENTIAL_LENGTH ? null : header.slice("Bearer ".length).trim();
}

function isOver(expiresAt: number | null, now: number): boolean {
  return expiresAt !== null && now >= expiresAt;
}

function expired(isPublic: (uid: string) => boolean, expiresAt: number, now: number): Access {
  return strangerAccess(
    isPublic,
    () =>
      new ApiError(
        "invalid_api_key",
        `Tenant token expired. Was valid up to \`${expiresAt}\` and we're now \`${now}\`.`,
      ),
  );
}
