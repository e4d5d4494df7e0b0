/**
 * A CI job trades its provider's OIDC token for a token of ours: `mr_job_…`.
 *
 *   issuer of a relationship of the project? ─► signature, times ─► audience ─► claims ─► a row in `tokens`
 *
 * Who asks is nobody yet, so a project that does not exist is answered like one that trusts nobody: with the same
 * words, after the same two look-ups, `permission_denied`. Only who shows a token that a trusted issuer has signed for
 * this server learns which claims differ.
 *
 * An OIDC token may be exchanged again until it ends, because providers hand one to all steps of a job.
 */
import { createRateLimit, type RateLimit } from "#platform/http/rate-limit.ts";
import type { Accounts } from "../accounts.ts";
import { addToken } from "../add-token.ts";
import { changeRecords } from "../change-records.ts";
import { askDatabase } from "../database-away.ts";
import { isSearchable } from "../find-organization.ts";
import { MAX_NAME_LENGTH } from "../limits.ts";
import { Refused } from "../refused.ts";
import type { CacheRight } from "../schema.ts";
import { makeToken } from "../token-text.ts";
import { readTrustRelationships, type TrustRelationship } from "../trust-relationships.ts";
import { createIssuerKeys, type IssuerKeys } from "./issuer-keys.ts";
import { matchClaims, quote, textOf } from "./match-claims.ts";
import { readIssuer, verifyToken } from "./verify-token.ts";

/** Each makes a row that stays for a month. A matrix of 256 jobs starts at once. */
const EXCHANGES_PER_PROJECT = 300;
const MAX_SUBJECT = 200;

export interface ExchangeInput {
  /** `prj_…` */
  projectId: string;
  oidcToken: string;
  /** From where, for the audit log. */
  address: string;
}

export interface JobToken {
  tokenId: string;
  /** `mr_job_…`; it is nowhere else. */
  secret: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  cache: CacheRight;
}

/** @throws Refused `invalid_argument`, `unauthenticated`, `permission_denied`, `resource_exhausted`, `unavailable` */
export async function exchangeOidcToken(accounts: Accounts, input: ExchangeInput): Promise<JobToken> {
  const { outcomes } = stateOf(accounts);
  const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  try {
    const token = await exchange(accounts, input);
    count("exchanged");
    return token;
  } catch (error) {
    count(error instanceof Refused ? error.code : "failed");
    throw error;
  }
}

/** How exchanges ended since the start of this process: `exchanged`, or the code of the refusal. */
export function countExchanges(accounts: Accounts): Iterable<readonly [outcome: string, count: number]> {
  return stateOf(accounts).outcomes;
}

async function exchange(accounts: Accounts, input: ExchangeInput): Promise<JobToken> {
  const { projectId, oidcToken } = input;
  if (projectId === "") throw missing("project_id");
  if (oidcToken === "") throw missing("oidc_token");
  const issuer = readIssuer(oidcToken);
  const project = await findTrust(accounts, projectId, issuer);
  if (project === null)
    throw new Refused(
      "permission_denied",
      `no trust relationship matches: the project trusts no issuer ${quote(issuer)}, or there is no such project`,
    );
  const { keys, perProject } = stateOf(accounts);
  const payload = await verifyToken(oidcToken, { issuer, keys, now: accounts.clock() });
  const aud = textOf(payload.aud);
  if (aud !== accounts.origin)
    throw noMatch(`  aud: wanted ${quote(accounts.origin)}, got ${aud === null ? "several" : quote(aud)}`);
  const match = matchClaims(project.relationships, payload);
  if ("differences" in match) throw noMatch(match.differences);
  const seconds = perProject.take(projectId);
  if (seconds > 0)
    throw new Refused(
      "resource_exhausted",
      `the project's jobs exchange too many tokens; try again in ${seconds} s`,
    );
  return addJobToken(accounts, {
    ...input,
    ...project,
    issuer,
    subject: payload.sub ?? "",
    cache: match.cache,
  });
}

interface Trust {
  organizationId: string;
  relationships: TrustRelationship[];
}

async function findTrust(accounts: Accounts, projectId: string, issuer: string): Promise<Trust | null> {
  if (!isSearchable(projectId)) return null;
  const { db } = accounts;
  const [project, relationships] = await askDatabase(() =>
    Promise.all([
      db.selectFrom("projects").select("organization_id").where("id", "=", projectId).executeTakeFirst(),
      readTrustRelationships(db, [projectId]),
    ]),
  );
  const trusted = (relationships.get(projectId) ?? []).filter(
    (relationship) => relationship.issuer === issuer,
  );
  return project && trusted.length > 0
    ? { organizationId: project.organization_id, relationships: trusted }
    : null;
}

interface NewJobToken extends ExchangeInput, Trust {
  issuer: string;
  subject: string;
  cache: CacheRight;
}

async function addJobToken(accounts: Accounts, job: NewJobToken): Promise<JobToken> {
  const { projectId, organizationId, cache, issuer } = job;
  const subject = job.subject.toWellFormed().replace(/\p{C}/gu, "?").slice(0, MAX_SUBJECT);
  const secret = makeToken("job", accounts.randomBytes);
  const expiresAt = accounts.clock() + accounts.jobTokenLifetimeMs;
  const name = subject.slice(0, MAX_NAME_LENGTH) || "CI job";
  const author = { name: subject || issuer, id: issuer, address: job.address };
  return changeRecords(accounts, author, async ({ transaction, audit }) => {
    const token = { type: "job" as const, secret, name, organizationId, projectId, cache, expiresAt };
    const tokenId = await addToken(accounts, transaction, { ...token, createdBy: subject });
    const details = { type: "job", project_id: projectId, issuer, cache };
    await audit({ action: "token.create", organizationId, target: name, targetId: tokenId, details });
    return { tokenId, secret, expiresAt, cache };
  });
}

interface TrustState {
  keys: IssuerKeys;
  perProject: RateLimit;
  outcomes: Map<string, number>;
}

const states = new WeakMap<Accounts, TrustState>();

/** What this process remembers of issuers. */
function stateOf(accounts: Accounts): TrustState {
  const { clock, privateIssuers } = accounts;
  const state = states.get(accounts) ?? {
    keys: createIssuerKeys({ privateHosts: [...privateIssuers], clock }),
    perProject: createRateLimit({ perMinute: EXCHANGES_PER_PROJECT, clock }),
    outcomes: new Map<string, number>(),
  };
  states.set(accounts, state);
  return state;
}

const missing = (field: string) => new Refused("invalid_argument", `${field} is missing`, { field });
const noMatch = (differences: string) =>
  new Refused("permission_denied", `no trust relationship matches\n${differences}`);
