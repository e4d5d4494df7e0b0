/** Which CI providers' jobs a project trusts. */
import { missingOwners } from "#platform/text/shared-issuers.ts";
import type { Accounts } from "../contract/accounts.ts";
import { invalid } from "../contract/check-input.ts";
import { MAX_CLAIM_LENGTH, MAX_CLAIMS, MAX_TRUST_RELATIONSHIPS } from "../contract/limits.ts";
import type { AccountTransaction, CacheRight } from "../records/schema.ts";
import { isSecureEnough } from "./fetch-json.ts";

export interface TrustRelationship {
  issuer: string;
  /** Name to the exact value, a text. At least one. */
  claims: Readonly<Record<string, string>>;
  /** The rights of its jobs to the cache. */
  cache: CacheRight;
}

export interface TrustRelationshipInput {
  issuer: string;
  claims: Readonly<Record<string, string>>;
  /** Empty or absent: `read`. */
  cache?: string;
}

const FIELD = "trust_relationships";
const CACHE_RIGHTS: readonly string[] = ["read", "overlay", "write"] satisfies CacheRight[];

export function checkTrustRelationships(
  accounts: Pick<Accounts, "privateIssuers">,
  relationships: readonly TrustRelationshipInput[],
): TrustRelationship[] {
  if (relationships.length > MAX_TRUST_RELATIONSHIPS)
    throw invalid(
      FIELD,
      `there are ${relationships.length} trust relationships; ${MAX_TRUST_RELATIONSHIPS} are allowed`,
    );
  return relationships.map((relationship, index) =>
    checkTrustRelationship(accounts, relationship, `${FIELD}[${index}]`),
  );
}

/** @param field its place in the request */
export function checkTrustRelationship(
  { privateIssuers }: Pick<Accounts, "privateIssuers">,
  { issuer, claims, cache = "" }: TrustRelationshipInput,
  field: string,
): TrustRelationship {
  const right = cache === "" ? "read" : cache;
  if (!isCacheRight(right)) throw invalid(`${field}.cache`, "cache must be read, overlay or write");
  checkClaims(claims, `${field}.claims`);
  checkOwnerIsNamed(issuer, claims, `${field}.claims`);
  return {
    issuer: checkIssuer(issuer, `${field}.issuer`, privateIssuers),
    claims: { ...claims },
    cache: right,
  };
}

export async function readTrustRelationships(
  db: Accounts["db"] | AccountTransaction,
  projectIds: readonly string[],
): Promise<Map<string, TrustRelationship[]>> {
  const byProject = new Map<string, TrustRelationship[]>();
  if (projectIds.length === 0) return byProject;
  const rows = await db
    .selectFrom("trust_relationships")
    .selectAll()
    .where("project_id", "in", projectIds)
    .orderBy("project_id")
    .orderBy("position")
    .execute();
  for (const { project_id, issuer, claims, cache } of rows) {
    const list = byProject.get(project_id) ?? [];
    // Written below, after its check.
    list.push({ issuer, claims: JSON.parse(claims) as Record<string, string>, cache });
    byProject.set(project_id, list);
  }
  return byProject;
}

/** Replaces the project's whole list. */
export async function writeTrustRelationships(
  transaction: AccountTransaction,
  projectId: string,
  relationships: readonly TrustRelationship[],
): Promise<void> {
  await transaction.deleteFrom("trust_relationships").where("project_id", "=", projectId).execute();
  if (relationships.length === 0) return;
  await transaction
    .insertInto("trust_relationships")
    .values(
      relationships.map(({ issuer, claims, cache }, position) => ({
        project_id: projectId,
        position,
        issuer,
        claims: JSON.stringify(claims),
        cache,
      })),
    )
    .execute();
}

/** An issuer's address is compared letter by letter with the claim `iss`, so it is stored as sent. */
function checkIssuer(issuer: string, field: string, privateIssuers: ReadonlySet<string>): string {
  const url = issuer.length <= MAX_CLAIM_LENGTH && URL.canParse(issuer) ? new URL(issuer) : null;
  const isAllowed = url !== null && isSecureEnough(url, [...privateIssuers]);
  if (!isAllowed || url.username !== "" || url.password !== "" || /[?#\s]/.test(issuer) || !isPlain(issuer))
    throw invalid(
      field,
      "issuer must be an https address without a query, such as https://gitlab.example.com",
    );
  return issuer;
}

function checkClaims(claims: Readonly<Record<string, string>>, field: string): void {
  const entries = Object.entries(claims);
  if (entries.length === 0)
    throw invalid(field, "claims are missing; without one, everyone who uses this issuer would be trusted");
  if (entries.length > MAX_CLAIMS)
    throw invalid(field, `there are ${entries.length} claims; ${MAX_CLAIMS} are allowed`);
  for (const [name, value] of entries)
    if (name === "" || value === "" || name.length > MAX_CLAIM_LENGTH || value.length > MAX_CLAIM_LENGTH)
      throw invalid(field, `names and values of claims must have 1 to ${MAX_CLAIM_LENGTH} characters`);
    else if (!isPlain(name) || !isPlain(value))
      throw invalid(field, "names and values of claims must be plain text");
}

function checkOwnerIsNamed(issuer: string, claims: Readonly<Record<string, string>>, field: string): void {
  const owners = missingOwners(issuer, claims);
  if (owners.length > 0) throw invalid(field, tooWide(issuer, owners));
}

/** @param owners of which one is needed */
export const tooWide = (issuer: string, owners: readonly string[]): string =>
  `anybody can run a job at ${issuer}: require ${owners.length > 1 ? "one of the claims" : "the claim"} ${owners.join(", ")}`;

function isCacheRight(text: string): text is CacheRight {
  return CACHE_RIGHTS.includes(text);
}

function isPlain(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text);
}
