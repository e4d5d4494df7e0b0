/** Who asks: a token, or the cookie of a browser that is signed in. */
import { isSameOrigin } from "#platform/http/same-origin.ts";
import type { Accounts } from "./accounts.ts";
import type { Actor, Membership } from "./actor.ts";
import { askDatabase } from "./database-away.ts";
import type { Identity } from "./identity-cache.ts";
import { quoteReference } from "./ids.ts";
import {
  LAST_USE_EXACT_MS,
  MAX_ORGANIZATIONS_PER_USER,
  MAX_TOKEN_LENGTH,
  USER_TOKEN_IDLE_MS,
} from "./limits.ts";
import { Refused, type ShownToken } from "./refused.ts";
import { hashReader, hashSecret, isWellFormedToken } from "./token-text.ts";
import { readJobClaims } from "./trust/job-claims.ts";

export interface Credentials {
  /** The token after `Bearer `; it wins over the cookie. */
  bearer?: string | undefined;
  /** The value of the cookie `cookieNameOf()`, of a request that comes from one of the site's own pages. */
  cookie?: string | undefined;
  /** The header `Millrace-Org`: a name or an id. */
  organization?: string | undefined;
}

/**
 * @param address from where, for who asks later which address used a token last
 * @throws Refused `unauthenticated`; `not_found` for an organization that is not the caller's; `unavailable`
 */
export async function identify(
  accounts: Accounts,
  credentials: Credentials,
  address: string | null = null,
): Promise<Actor> {
  const found = findIdentity(accounts, credentials);
  // A remembered one costs no turn of the event loop.
  const identity = found instanceof Promise ? await found : found;
  const { actor } = identity;
  const now = accounts.clock();
  refuseExpired(actor, now);
  if (now - identity.lastUsedAt >= LAST_USE_EXACT_MS) {
    identity.lastUsedAt = now;
    accounts.uses.touch(actor, address);
  }
  return credentials.organization ? actIn(actor, credentials.organization) : actor;
}

/** The same for somebody who was identified before and is still there, which is no use of a token or a browser. */
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
 * What a request's headers say of who sent it. A cookie counts only on the site's own pages: another site's page would
 * send it too.
 */
export function credentialsOf(accounts: Pick<Accounts, "origin">, headers: Headers): Credentials {
  const authorization = headers.get("authorization");
  const organization = headers.get("millrace-org") ?? undefined;
  if (authorization !== null)
    return { bearer: /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? "", organization };
  const cookie = readCookie(headers.get("cookie") ?? "", cookieNameOf(accounts));
  return { ...(cookie && isSameOrigin({ headers }, accounts.origin) && { cookie }), organization };
}

/** On HTTPS, browsers accept the cookie only from this very host. */
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

function findIdentity(accounts: Accounts, { bearer, cookie }: Credentials): Identity | Promise<Identity> {
  const secret = bearer ?? cookie;
  if (!secret) throw unauthenticated("no token");
  if (secret.length > MAX_TOKEN_LENGTH) throw unauthenticated("token is mistyped or cut off");
  const hash = hashSecret(secret);
  // Under a name of its own, so that a remembered token is never taken for a browser's cookie.
  if (bearer === undefined)
    return accounts.cache.find(`cookie ${hash}`, () => askDatabase(() => loadSignIn(accounts, hash)));
  if (!isWellFormedToken(secret) && hash !== accounts.ownerTokenHash)
    throw unauthenticated("token is mistyped or cut off");
  return accounts.cache.find(hash, () => askDatabase(() => loadToken(accounts, [hash, hashReader(secret)])));
}

async function loadToken(accounts: Accounts, hashes: readonly string[]): Promise<Identity> {
  const row = await accounts.db
    .selectFrom("tokens")
    .leftJoin("organizations", "organizations.id", "tokens.organization_id")
    .leftJoin("users", "users.id", "tokens.user_id")
    .selectAll("tokens")
    .select(["organizations.name as organization", "users.name as user", "users.mail"])
    .where("hash", "in", hashes)
    .executeTakeFirst();
  if (!row) throw unauthenticated("token is unknown");
  const shown: ShownToken = {
    type: row.type,
    tokenId: row.id,
    // How people call their tokens is told to nobody else.
    name: row.user ?? row.name,
    organizationId: row.organization_id,
    userId: row.user_id,
    projectId: row.project_id,
  };
  if (row.revoked_at !== null) throw unauthenticated("token is revoked", shown);
  // The first use is noted, however soon it comes.
  const lastUsedAt = row.last_used_at ?? 0;
  const idleSince = row.last_used_at ?? row.created_at;
  const token = { tokenId: row.id, readOnly: row.read_only === 1, expiresAt: row.expires_at };
  if (row.type === "user" && row.user_id !== null) {
    // Only the operator's own token is nobody's making, and it stays as long as the operator wants it.
    if (row.created_by !== null && idleSince + USER_TOKEN_IDLE_MS <= accounts.clock())
      throw unauthenticated("token is expired", shown);
    const person = { id: row.user_id, name: row.user ?? "", mail: row.mail };
    return personIdentity(accounts, person, { ...token, via: "token", signInId: null, lastUsedAt });
  }
  const { organization_id: organizationId, organization, project_id: projectId } = row;
  if (organizationId === null || organization === null) throw unauthenticated("token is unknown");
  const shared = { ...token, name: row.name, organizationId, organization };
  const dependsOn = [row.id, organizationId, ...(projectId === null ? [] : [projectId])];
  if (row.type === "org") return { actor: { ...shared, kind: "organization" }, lastUsedAt, dependsOn };
  const { readOnly: _, ...narrow } = shared;
  if (row.type === "job")
    return {
      actor: {
        ...narrow,
        kind: "job",
        projectId,
        cache: row.cache ?? "read",
        claims: readJobClaims(row.job_claims),
      },
      lastUsedAt,
      dependsOn,
    };
  if (row.type !== "project" || projectId === null) throw unauthenticated("token is unknown");
  return { actor: { ...shared, kind: "project", projectId }, lastUsedAt, dependsOn };
}

async function loadSignIn(accounts: Accounts, hash: string): Promise<Identity> {
  const row = await accounts.db
    .selectFrom("sign_ins")
    .innerJoin("users", "users.id", "sign_ins.user_id")
    .select([
      "sign_ins.id",
      "sign_ins.last_used_at",
      "sign_ins.expires_at",
      "user_id",
      "users.name",
      "users.mail",
    ])
    .where("key_hash", "=", hash)
    .executeTakeFirst();
  if (!row) throw unauthenticated("this browser is signed out");
  return personIdentity(
    accounts,
    { id: row.user_id, name: row.name, mail: row.mail },
    {
      via: "browser",
      tokenId: null,
      signInId: row.id,
      readOnly: false,
      expiresAt: row.expires_at,
      lastUsedAt: row.last_used_at,
    },
  );
}

async function personIdentity(
  { db }: Accounts,
  { id, name, mail }: { id: string; name: string; mail: string | null },
  {
    lastUsedAt,
    ...how
  }: {
    via: "token" | "browser";
    tokenId: string | null;
    signInId: string | null;
    readOnly: boolean;
    expiresAt: number | null;
    lastUsedAt: number;
  },
): Promise<Identity> {
  const rows = await db
    .selectFrom("members")
    .innerJoin("organizations", "organizations.id", "members.organization_id")
    .select(["organizations.id", "organizations.name", "organizations.is_first", "members.role"])
    .where("members.user_id", "=", id)
    .orderBy("members.created_at")
    // A name can change, and with it the organization that is meant when none is named.
    .orderBy("organizations.id")
    .limit(MAX_ORGANIZATIONS_PER_USER)
    .execute();
  const memberships = rows.map((row): Membership => ({
    organizationId: row.id,
    organization: row.name,
    role: row.role,
    isFirst: row.is_first === 1,
  }));
  const organizationId = memberships[0]?.organizationId ?? null;
  const credential = how.tokenId ?? how.signInId ?? "";
  return {
    actor: { kind: "user", userId: id, name, mail, ...how, memberships, organizationId },
    lastUsedAt,
    dependsOn: [credential, id, ...memberships.map((membership) => membership.organizationId)],
  };
}

function actIn(actor: Actor, wanted: string): Actor {
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

function unauthenticated(message: string, token?: ShownToken): Refused {
  return new Refused("unauthenticated", message, token && { token });
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
