/** Checks a trust relationship, saved or not, with a token or with the project's latest exchanges. Changes nothing. */
import { decodeJwt } from "jose";
import type { Accounts } from "../contract/accounts.ts";
import type { Caller } from "../changes/change-records.ts";
import { invalid } from "../contract/check-input.ts";
import { askDatabase } from "../contract/database-away.ts";
import { MAX_OIDC_TOKEN_LENGTH, MAX_TRIED_EXCHANGES } from "../contract/limits.ts";
import { findProject } from "./projects.ts";
import { checkTrustRelationship, type TrustRelationshipInput } from "../trust/trust-relationships.ts";
import { type Claims, subjectOf } from "../trust/keep-exchange.ts";
import { type ClaimCheck, compareClaims } from "../trust/match-claims.ts";

/** A relationship's result for one token. */
export interface TrustCheck {
  /** Null for a token in the request. */
  exchangeId: string | null;
  subject: string;
  /** The exchange's time, or when the token was issued; null: the token does not say. */
  time: number | null;
  matches: boolean;
  /** `iss` and `aud`, then the relationship's claims. */
  checks: readonly ClaimCheck[];
}

export interface TrustCheckInput {
  projectId: string;
  relationship: TrustRelationshipInput | undefined;
  /** A JSON Web Token, or the JSON of its claims; its signature is not checked. Empty: the latest exchanges. */
  oidcToken?: string;
}

/** @returns newest first, at most `MAX_TRIED_EXCHANGES` */
export async function checkTrust(
  accounts: Accounts,
  caller: Caller,
  { projectId, relationship, oidcToken = "" }: TrustCheckInput,
): Promise<TrustCheck[]> {
  const { db, origin } = accounts;
  const { id } = await findProject(accounts, caller, { projectId, action: "trust.test" });
  if (!relationship) throw invalid("trust_relationship", "trust_relationship is missing");
  const { issuer, claims: wanted } = checkTrustRelationship(accounts, relationship, "trust_relationship");
  const check = (claims: Claims, told: Pick<TrustCheck, "exchangeId" | "time">): TrustCheck => {
    const first = compareClaims({ iss: issuer, aud: origin }, claims);
    const checks = [...first, ...compareClaims(wanted, claims)].map((difference) => difference.check);
    return { ...told, subject: subjectOf(claims), matches: checks.every(({ matches }) => matches), checks };
  };
  if (oidcToken.trim() !== "") {
    const claims = readClaims(oidcToken.trim());
    return [check(claims, { exchangeId: null, time: issuedAt(claims) })];
  }
  const rows = await askDatabase(() =>
    db
      .selectFrom("exchanges")
      .select(["id", "time", "claims"])
      .where("project_id", "=", id)
      .orderBy("id", "desc")
      .limit(MAX_TRIED_EXCHANGES)
      .execute(),
  );
  // Written by `keep-exchange.ts`.
  return rows.map((row) => check(JSON.parse(row.claims) as Claims, { exchangeId: row.id, time: row.time }));
}

function readClaims(token: string): Claims {
  if (token.length > MAX_OIDC_TOKEN_LENGTH)
    throw invalid("oidc_token", `oidc_token is longer than ${MAX_OIDC_TOKEN_LENGTH} characters`);
  try {
    const claims: unknown = token.startsWith("{") ? JSON.parse(token) : decodeJwt(token);
    // An object: by its first character, or because the library says so.
    return claims as Claims;
  } catch {
    throw invalid("oidc_token", "oidc_token is neither a JSON Web Token nor the JSON of its claims");
  }
}

/** The claim `iat`, in milliseconds, if it is a time before the year 9999. */
function issuedAt({ iat }: Claims): number | null {
  const isTime = typeof iat === "number" && iat > 0 && iat < MAX_SECONDS;
  return isTime ? Math.round(iat * 1_000) : null;
}
const MAX_SECONDS = Date.UTC(9999, 0, 1) / 1_000;
