/**
 * A CI job trades its provider's OIDC token for a token of this server: `mr_job_…`.
 *
 *   issuer of a relationship of the project? ─► signature ─► times ─► audience ─► claims ─► a row in `tokens`
 *                                                              └─────────┴───────────┴─► a row in `exchanges`, given or refused
 *
 * The caller is not identified yet, so a project that does not exist is answered like one that trusts no one: with the same
 * message, after the same two look-ups, `permission_denied`. Only a caller with a token that a trusted issuer has signed for
 * this server learns which claims differ.
 *
 * An OIDC token may be exchanged again until it expires, because providers give one token to all steps of a job.
 */
import { gatherLookUps } from "#platform/database/gather-look-ups.ts";
import { createRateLimit, type RateLimit } from "#platform/http/limits/rate-limit.ts";
import { missingOwners } from "#platform/text/shared-issuers.ts";
import type { Accounts } from "../contract/accounts.ts";
import { addToken } from "../changes/add-token.ts";
import { changeRecords } from "../changes/change-records.ts";
import { askDatabase } from "../contract/database-away.ts";
import { isSearchable } from "../changes/find-organization.ts";
import { MAX_NAME_LENGTH } from "../contract/limits.ts";
import { Refused } from "../contract/refused.ts";
import type { CacheRight } from "../records/schema.ts";
import { makeToken } from "../contract/token-text.ts";
import { readTrustRelationships, tooWide, type TrustRelationship } from "./trust-relationships.ts";
import { createIssuerKeys, type IssuerKeys } from "./issuer-keys.ts";
import { addExchange, type Claims, subjectOf } from "./keep-exchange.ts";
import { jobClaimsOf } from "./job-claims.ts";
import { type ClaimDifference, compareClaims, matchClaims, quote } from "./match-claims.ts";
import { readIssuer, UnusableToken, verifyToken } from "./verify-token.ts";

/** Per minute. Each makes a row that stays for a month. The jobs of a matrix of 256 start at the same time. */
const EXCHANGES_PER_PROJECT = 300;
/** Anyone with a token of a trusted issuer can cause refusals. More than these are counted, but leave no rows. */
const KEPT_REFUSALS = { perMinute: 10, burst: 60 };

export interface ExchangeInput {
  /** `prj_…` */
  projectId: string;
  oidcToken: string;
  /** The client's, for the audit log. */
  address: string;
}

export interface JobToken {
  tokenId: string;
  /** `mr_job_…`; it appears nowhere else. */
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
      `no trust relationship matches: the project does not trust the issuer ${quote(issuer)}, or there is no such project`,
    );
  const job = await verifyJob(accounts, { ...input, ...project, issuer });
  const { claims } = job;
  const [audience] = compareClaims({ aud: accounts.origin }, claims);
  if (audience?.check.matches === false) {
    const because = "The token is for a different audience (aud) than this server.";
    throw await refuseJob(accounts, job, { because, differences: [audience] });
  }
  const relationships = project.relationships.filter(
    (each) => missingOwners(issuer, each.claims).length === 0,
  );
  if (relationships.length === 0) {
    // Saved before its issuer was known to be shared.
    const because = `The trust relationship is not used: ${tooWide(issuer, missingOwners(issuer, {}))}.`;
    throw await refuseJob(accounts, job, { because, differences: [] });
  }
  const match = matchClaims(relationships, claims);
  if ("differences" in match) {
    const names = match.differences.map(({ check }) => check.claim).join(", ");
    const because = `No trust relationship matches. The closest one differs in ${names}.`;
    throw await refuseJob(accounts, job, { because, differences: match.differences });
  }
  const seconds = stateOf(accounts).perProject.take(projectId);
  if (seconds > 0)
    throw new Refused(
      "resource_exhausted",
      `the project's jobs are exchanging too many tokens; try again in ${seconds} s`,
    );
  return addJobToken(accounts, job, match.cache);
}

interface Trust {
  organizationId: string;
  project: string;
  relationships: TrustRelationship[];
}

async function findTrust(accounts: Accounts, projectId: string, issuer: string): Promise<Trust | null> {
  if (!isSearchable(projectId)) return null;
  const { project, relationships } = await askDatabase(() => stateOf(accounts).findProject(projectId));
  const trusted = relationships.filter((relationship) => relationship.issuer === issuer);
  return project && trusted.length > 0
    ? { organizationId: project.organization_id, project: project.name, relationships: trusted }
    : null;
}

/** Looks up all projects that strangers name at the same time. */
async function findProjects({ db }: Accounts, ids: readonly string[]) {
  const [rows, relationships] = await Promise.all([
    db.selectFrom("projects").select(["id", "organization_id", "name"]).where("id", "in", ids).execute(),
    readTrustRelationships(db, ids),
  ]);
  const projects = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => ({ project: projects.get(id), relationships: relationships.get(id) ?? [] }));
}

type FoundProject = Awaited<ReturnType<typeof findProjects>>[number];

interface Asking extends ExchangeInput, Trust {
  issuer: string;
}

/** A CI job whose token its issuer has signed. */
interface Job extends Asking {
  subject: string;
  claims: Claims;
}

async function verifyJob(accounts: Accounts, asking: Asking): Promise<Job> {
  const { oidcToken, issuer } = asking;
  const { keys } = stateOf(accounts);
  const jobOf = (claims: Claims): Job => ({ ...asking, subject: subjectOf(claims), claims });
  try {
    return jobOf(await verifyToken(oidcToken, { issuer, keys, now: accounts.clock() }));
  } catch (error) {
    if (error instanceof UnusableToken)
      await keepRefusal(accounts, jobOf(error.claims), { because: error.because, differences: [] });
    throw error;
  }
}

async function addJobToken(accounts: Accounts, job: Job, cache: CacheRight): Promise<JobToken> {
  const { projectId, organizationId, issuer, subject } = job;
  const secret = makeToken("job", accounts.randomBytes);
  const expiresAt = accounts.clock() + accounts.jobTokenLifetimeMs;
  const name = subject.slice(0, MAX_NAME_LENGTH) || "CI job";
  const made = await changeRecords(accounts, authorOf(job), async ({ transaction, audit }) => {
    const token = { type: "job" as const, secret, name, organizationId, projectId, cache, expiresAt };
    const claims = jobClaimsOf(job.claims);
    const tokenId = await addToken(accounts, transaction, { ...token, claims, createdBy: subject });
    const details = { type: "job", project_id: projectId, issuer, cache };
    await audit({ action: "token.create", organizationId, target: name, targetId: tokenId, details });
    const outcome = { refusedBecause: "", differences: [], tokenId };
    await addExchange(accounts, transaction, { ...job, ...outcome, wanted: wantedBy(job) });
    return { tokenId, secret, expiresAt, cache };
  });
  accounts.uses.countJob({ organizationId, projectId, isRefused: false });
  return made;
}

interface Refusal {
  /** A sentence for the project's people. */
  because: string;
  differences: readonly ClaimDifference[];
}

/** @returns the error to throw */
async function refuseJob(accounts: Accounts, job: Job, refusal: Refusal): Promise<Refused> {
  await keepRefusal(accounts, job, refusal);
  const lines = refusal.differences.map(({ line }) => line);
  const told = lines.length > 0 ? lines : [`  ${refusal.because}`];
  return new Refused("permission_denied", `no trust relationship matches\n${told.join("\n")}`);
}

/** Counts and stores a refusal, unless there are too many. */
async function keepRefusal(accounts: Accounts, job: Job, { because, differences }: Refusal): Promise<void> {
  const { projectId, organizationId, issuer } = job;
  accounts.uses.countJob({ organizationId, projectId, isRefused: true });
  if (stateOf(accounts).keptRefusals.take(projectId) > 0) return;
  const checks = differences.map(({ check }) => check);
  const kept = { ...job, wanted: wantedBy(job), refusedBecause: because, differences: checks, tokenId: null };
  try {
    await changeRecords(accounts, authorOf(job), async ({ transaction, audit }) => {
      const exchangeId = await addExchange(accounts, transaction, kept);
      const differs = checks.map(({ claim }) => claim).join(", ");
      const details = { type: "job", issuer, because, exchange_id: exchangeId, ...(differs && { differs }) };
      await audit({
        action: "token.refuse",
        organizationId,
        target: job.project,
        targetId: projectId,
        details,
      });
    });
  } catch (error) {
    // The job learns why it was refused, even if that could not be stored.
    accounts.log.warn("Could not store a refused exchange.", { error, project_id: projectId });
  }
}

const authorOf = ({ subject, issuer, address }: Job) => ({ name: subject || issuer, id: issuer, address });

const wantedBy = ({ relationships }: Trust): Set<string> =>
  new Set(relationships.flatMap(({ claims }) => Object.keys(claims)));

interface TrustState {
  keys: IssuerKeys;
  findProject: (id: string) => Promise<FoundProject>;
  perProject: RateLimit;
  keptRefusals: RateLimit;
  outcomes: Map<string, number>;
}

const states = new WeakMap<Accounts, TrustState>();

/** This process's memory of issuers. */
function stateOf(accounts: Accounts): TrustState {
  const { clock, log, privateIssuers } = accounts;
  const state = states.get(accounts) ?? {
    keys: createIssuerKeys({ privateHosts: [...privateIssuers], clock, log }),
    findProject: gatherLookUps((ids: readonly string[]) => findProjects(accounts, ids)),
    perProject: createRateLimit({ perMinute: EXCHANGES_PER_PROJECT, clock }),
    keptRefusals: createRateLimit({ ...KEPT_REFUSALS, clock }),
    outcomes: new Map<string, number>(),
  };
  states.set(accounts, state);
  return state;
}

const missing = (field: string) => new Refused("invalid_argument", `${field} is missing`, { field });
