/** Looks up tokens and browsers in the database. Simultaneous look-ups are combined. */
import { gatherLookUps } from "#platform/database/gather-look-ups.ts";
import type { Accounts } from "../contract/accounts.ts";
import type { Membership } from "../contract/actor.ts";
import type { Identity } from "../contract/identities.ts";
import { MAX_ORGANIZATIONS_PER_USER, USER_TOKEN_IDLE_MS } from "../contract/limits.ts";
import { Refused, type ShownToken } from "../contract/refused.ts";
import type { AccountDatabase } from "../records/schema.ts";
import { signInEnd } from "../people/sign-ins.ts";
import { readJobClaims } from "../trust/job-claims.ts";

/** Hashes under which the database may have a token. */
export interface TokenHashes {
  hash: string;
  readerHash: string;
}

type TokenRow = Awaited<ReturnType<typeof findTokens>>[number];
type SignInRow = Awaited<ReturnType<typeof findSignIns>>[number];

interface LookUps {
  token: (hashes: TokenHashes) => Promise<TokenRow | undefined>;
  signIn: (hash: string) => Promise<SignInRow | undefined>;
}

const lookUps = new WeakMap<Accounts, LookUps>();

function lookUpsOf(accounts: Accounts): LookUps {
  const known = lookUps.get(accounts);
  if (known) return known;
  const { db } = accounts;
  const made: LookUps = {
    token: gatherLookUps(async (asked) => {
      const rows = await findTokens(
        db,
        asked.flatMap(({ hash, readerHash }) => [hash, readerHash]),
      );
      const byHash = new Map(rows.map((row) => [row.hash, row]));
      return asked.map(({ hash, readerHash }) => byHash.get(hash) ?? byHash.get(readerHash));
    }),
    signIn: gatherLookUps(async (hashes) => {
      const rows = await findSignIns(db, hashes);
      const byHash = new Map(rows.map((row) => [row.key_hash, row]));
      return hashes.map((hash) => byHash.get(hash));
    }),
  };
  lookUps.set(accounts, made);
  return made;
}

function findTokens(db: AccountDatabase["db"], hashes: readonly string[]) {
  return db
    .selectFrom("tokens")
    .leftJoin("organizations", "organizations.id", "tokens.organization_id")
    .leftJoin("users", "users.id", "tokens.user_id")
    .selectAll("tokens")
    .select(["organizations.name as organization", "users.name as user", "users.mail"])
    .where("hash", "in", hashes)
    .execute();
}

function findSignIns(db: AccountDatabase["db"], hashes: readonly string[]) {
  return db
    .selectFrom("sign_ins")
    .innerJoin("users", "users.id", "sign_ins.user_id")
    .select([
      "sign_ins.id",
      "sign_ins.key_hash",
      "sign_ins.last_used_at",
      "sign_ins.created_at",
      "sign_ins.expires_at",
      "user_id",
      "users.name",
      "users.mail",
    ])
    .where("key_hash", "in", hashes)
    .execute();
}

/** @throws Refused `unauthenticated` */
export async function loadToken(accounts: Accounts, hashes: TokenHashes): Promise<Identity> {
  const row = await lookUpsOf(accounts).token(hashes);
  if (!row) throw unauthenticated("token is unknown");
  const shown: ShownToken = {
    type: row.type,
    tokenId: row.id,
    // Names that people give their tokens are shown to no one else.
    name: row.user ?? row.name,
    organizationId: row.organization_id,
    userId: row.user_id,
    projectId: row.project_id,
  };
  if (row.revoked_at !== null) throw unauthenticated("token is revoked", shown);
  // The first use is noted, however soon it follows.
  const lastUsedAt = row.last_used_at ?? 0;
  const idleSince = row.last_used_at ?? row.created_at;
  const token = { tokenId: row.id, readOnly: row.read_only === 1, expiresAt: row.expires_at };
  if (row.type === "user" && row.user_id !== null) {
    // Only the operator's own token has no creator, and it stays as long as the operator wants.
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

/** @throws Refused `unauthenticated` */
export async function loadSignIn(accounts: Accounts, hash: string): Promise<Identity> {
  const row = await lookUpsOf(accounts).signIn(hash);
  if (!row) throw unauthenticated("this browser is signed out");
  return personIdentity(
    accounts,
    { id: row.user_id, name: row.name, mail: row.mail },
    {
      via: "browser",
      tokenId: null,
      signInId: row.id,
      readOnly: false,
      expiresAt: signInEnd(row),
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
    // Not by name: a name can change, and with it the default organization.
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

export function unauthenticated(message: string, token?: ShownToken): Refused {
  return new Refused("unauthenticated", message, token && { token });
}
