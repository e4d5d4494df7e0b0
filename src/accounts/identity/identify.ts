/** Identifies the caller: a token, or the cookie of a signed-in browser. */
import { isSameOrigin } from "#platform/http/addresses/same-origin.ts";
import type { Accounts } from "../contract/accounts.ts";
import type { Actor } from "../contract/actor.ts";
import { askDatabase } from "../contract/database-away.ts";
import type { Identity } from "../contract/identities.ts";
import { quoteReference } from "../contract/ids.ts";
import { LAST_USE_EXACT_MS, MAX_TOKEN_LENGTH } from "../contract/limits.ts";
import { loadSignIn, loadToken, unauthenticated } from "./load-identity.ts";
import { Refused, type ShownToken } from "../contract/refused.ts";
import { hashReader, hashSecret, isWellFormedToken } from "../contract/token-text.ts";

export interface Credentials {
  /** The token after `Bearer `; it wins over the cookie. */
  bearer?: string | undefined;
  /** The value of the cookie `cookieNameOf()`, of a request that comes from one of the site's own pages. */
  cookie?: string | undefined;
  /** The header `Millrace-Org`: a name or an id. */
  organization?: string | undefined;
}

/**
 * @param address the client's, shown later as the address that last used a token
 * @throws Refused `unauthenticated`; `not_found` for an organization that is not the caller's; `unavailable`
 */
export async function identify(
  accounts: Accounts,
  credentials: Credentials,
  address: string | null = null,
): Promise<Actor> {
  const found = findIdentity(accounts, credentials);
  // A remembered identity costs no turn of the event loop.
  const identity = found instanceof Promise ? await found : found;
  const { actor } = identity;
  const now = accounts.clock();
  refuseExpired(actor, now);
  if (now - identity.lastUsedAt >= LAST_USE_EXACT_MS) {
    identity.lastUsedAt = now;
    accounts.uses.touch(actor, address);
  }
  return actIn(actor, credentials.organization);
}

/** The same for a connected caller who was identified before; it is not a use of a token or a browser. */
export async function identifyAgain(accounts: Accounts, credentials: Credentials): Promise<Actor> {
  const { actor } = await findIdentity(accounts, credentials);
  refuseExpired(actor, accounts.clock());
  return actor;
}

function refuseExpired(actor: Actor, now: number): void {
  if (actor.expiresAt === null || actor.expiresAt > now) return;
  throw unauthenticated(endOf(actor, "expired"), tokenOf(actor));
}

/**
 * The credentials in a request's headers. A cookie counts only on the site's own pages: another site's page would send it
 * too.
 */
export function credentialsOf(accounts: Pick<Accounts, "origin">, headers: Headers): Credentials {
  const authorization = headers.get("authorization");
  const organization = headers.get("millrace-org") ?? undefined;
  if (authorization !== null)
    return { bearer: /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? "", organization };
  const cookie = readCookie(headers.get("cookie") ?? "", cookieNameOf(accounts));
  return { ...(cookie && isSameOrigin({ headers }, accounts.origin) && { cookie }), organization };
}

/** On HTTPS, browsers accept the cookie only from exactly this host. */
export function cookieNameOf({ origin }: Pick<Accounts, "origin">): string {
  return origin.startsWith("https:") ? "__Host-millrace-session" : "millrace-session";
}

function readCookie(header: string, name: string): string | undefined {
  for (const part of header.split(";")) {
    const pair = part.trim();
    if (pair.startsWith(`${name}=`)) return pair.slice(name.length + 1);
  }
  return undefined;
}

/** @returns a remembered identity without a promise */
function findIdentity(accounts: Accounts, { bearer, cookie }: Credentials): Identity | Promise<Identity> {
  const secret = bearer ?? cookie;
  if (!secret) throw unauthenticated("no token");
  if (secret.length > MAX_TOKEN_LENGTH) throw unauthenticated("token is mistyped or cut off");
  const hash = hashSecret(secret);
  // Under a separate key, so that a remembered token is never mistaken for a browser's cookie.
  if (bearer === undefined)
    return accounts.cache.find(`cookie ${hash}`, () => askDatabase(() => loadSignIn(accounts, hash)));
  if (!isWellFormedToken(secret) && hash !== accounts.ownerTokenHash)
    throw unauthenticated("token is mistyped or cut off");
  return accounts.cache.find(hash, () =>
    askDatabase(() => loadToken(accounts, { hash, readerHash: hashReader(secret) })),
  );
}

/** @param wanted a name or an id; absent: the caller's first organization. @throws Refused `not_found` */
export function actIn(actor: Actor, wanted: string | undefined): Actor {
  if (!wanted) return actor;
  const is = (id: string, name: string) => wanted === id || wanted === name;
  if (actor.kind === "user") {
    const membership = actor.memberships.find(({ organizationId, organization }) =>
      is(organizationId, organization),
    );
    if (membership) return { ...actor, organizationId: membership.organizationId };
  } else if (is(actor.organizationId, actor.organization)) return actor;
  throw new Refused("not_found", `organization ${quoteReference(wanted)} was not found`);
}

function endOf(actor: Actor, end: string): string {
  return actor.kind === "user" && actor.via === "browser" ? "this browser is signed out" : `token is ${end}`;
}

/** Undefined for a browser. */
export function tokenOf(actor: Actor): ShownToken | undefined {
  const { tokenId, name } = actor;
  if (tokenId === null) return undefined;
  if (actor.kind === "user")
    return { type: "user", tokenId, name, organizationId: null, userId: actor.userId, projectId: null };
  return {
    type: actor.kind === "organization" ? "org" : actor.kind,
    tokenId,
    name,
    organizationId: actor.organizationId,
    userId: null,
    projectId: "projectId" in actor ? actor.projectId : null,
  };
}
