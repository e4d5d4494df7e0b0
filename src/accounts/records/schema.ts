import type { Transaction } from "kysely";
import type { Database } from "#platform/database/database.ts";
import type { LeaseTables } from "#platform/database/lease.ts";
import type { EventTables } from "./event-migration.ts";
import type { CountTables } from "./sign-in-floods-migration.ts";
import type { TwoStepTables } from "./two-step-migration.ts";

/** The tables of accounts. Ids are texts with a prefix, times milliseconds since 1970, yes and no 1 and 0. */
export type Role = "owner" | "member";
export type TokenType = "user" | "org" | "project" | "job";
export type CacheRight = "read" | "overlay" | "write";
/** `builds`: builds that ended; `build_ms`: milliseconds that they ran. */
export type UsageKind = "api_calls" | "job_tokens" | "refused_jobs" | "builds" | "build_ms";
type Flag = 0 | 1;

/** The claims that a CI job's issuer vouched for. */
export interface JobClaims {
  subject: string;
  sha: string | null;
  /** `refs/pull/7/merge`; some providers say only the name of the branch. */
  ref: string | null;
  runUrl: string | null;
  /** `image.yml`. Tokens of earlier releases have neither this nor the fields after it. */
  workflow?: string | null;
  /** The page of the pull or merge request. */
  pullUrl?: string | null;
}

export interface AccountTables extends EventTables, CountTables, TwoStepTables {
  organizations: {
    /** `org_…` */
    id: string;
    name: string;
    /** 1: the server's first one, whose owners operate it. Null, not 0, so that there can be only one. */
    is_first: 1 | null;
    created_at: number;
  };
  users: {
    /** `usr_…` */
    id: string;
    name: string;
    /** In lower case. */
    mail: string | null;
    /** Only an address that its owner has proved, or an owner has invited, finds its user. */
    mail_verified_at: number | null;
    created_at: number;
    last_seen_at: number | null;
    /** Browsers that signed in before this time are strangers; null: no browser is. */
    browsers_known_since: number | null;
  };
  members: { organization_id: string; user_id: string; role: Role; created_at: number };
  invitations: {
    /** `inv_…` */
    id: string;
    organization_id: string;
    mail: string | null;
    role: Role;
    key_hash: string;
    /** A user's id. */
    invited_by: string;
    created_at: number;
    expires_at: number;
  };
  projects: {
    /** `prj_…` */
    id: string;
    organization_id: string;
    name: string;
    builder_size: number;
    cache_size_bytes: number;
    retention_days: number;
    /** JSON: patterns of image tags that never move; null: none. */
    immutable_tags: string | null;
    /** JSON of `SpoiledCache`; null: none, or dismissed. */
    spoiled_cache: string | null;
    created_at: number;
    /** Increases with each change. */
    revision: number;
    /** The time of the last change, and its author's name. */
    changed_at: number | null;
    changed_by: string | null;
  };
  trust_relationships: {
    project_id: string;
    /** Its place in the project's list, from 0. */
    position: number;
    issuer: string;
    /** JSON: name of the claim to its exact value, a text. */
    claims: string;
    cache: CacheRight;
  };
  tokens: {
    /** `tok_…` */
    id: string;
    type: TokenType;
    /** SHA-256 of the whole token, Base64 for addresses. */
    hash: string;
    name: string;
    /** Null only for a user's token. */
    organization_id: string | null;
    /** The person whose rights it has; null for tokens that belong to no person. */
    user_id: string | null;
    /** For tokens of projects and jobs. */
    project_id: string | null;
    read_only: Flag;
    /** For tokens of jobs. */
    cache: CacheRight | null;
    /** For tokens of jobs: JSON of `JobClaims`. */
    job_claims: string | null;
    /** The creator: a user's id, or for a job the subject that its issuer vouched for. */
    created_by: string | null;
    created_at: number;
    last_used_at: number | null;
    /** An address. */
    last_used_from: string | null;
    expires_at: number | null;
    revoked_at: number | null;
    /** Who may undo the revocation for a short time: the id of a user or a token. */
    revoked_by: string | null;
  };
  /** Browsers. */
  sign_ins: {
    /** `sgn_…` */
    id: string;
    user_id: string;
    key_hash: string;
    browser: string;
    address: string;
    created_at: number;
    last_used_at: number;
    /** The end, unless it is used again. */
    expires_at: number;
    /** The end of the person's confirmation; null: not confirmed. */
    confirmed_until: number | null;
  };
  /** Links that sign in once. A used link stays until it expires, to be distinguished from an unknown one. */
  sign_in_links: {
    key_hash: string;
    /** `first`: makes the first owner; `owner`: printed by the operator's command; `mail`: sent. */
    kind: "first" | "owner" | "mail";
    /** Null for `first`. */
    user_id: string | null;
    /** For `mail`: the browser that asked, as a hash of its own key; only that browser may use it. */
    browser_hash: string | null;
    created_at: number;
    expires_at: number;
    used_at: number | null;
    used_from: string | null;
  };
  passkeys: {
    /** `pky_…` */
    id: string;
    user_id: string;
    /** WebAuthn's own, Base64 for addresses. */
    credential_id: string;
    /** COSE key, Base64 for addresses. */
    public_key: string;
    counter: number;
    /** JSON: a list of texts. */
    transports: string;
    name: string;
    created_at: number;
    last_used_at: number | null;
    /** Whether the device checks who uses it, and did so when it was added; null: added before that was noted. */
    verifies_user: Flag | null;
  };
  /** Persons at an OIDC provider or GitHub. */
  identities: { issuer: string; subject: string; user_id: string; created_at: number };
  /** RFC 8628. The token is derived from the device code, of which only the hash is stored. */
  device_codes: {
    code_hash: string;
    /** Without the dash. */
    user_code: string;
    state: "pending" | "approved" | "denied";
    /** JSON: the client's description of itself; see the page that shows it. */
    client: string;
    address: string;
    /** The widest network around the address; null: written by a former release. */
    network: string | null;
    user_id: string | null;
    organization_id: string | null;
    created_at: number;
    expires_at: number;
    polled_at: number | null;
    /** Seconds between polls; grows with each early poll. */
    interval_seconds: number;
  };
  audit_events: {
    /** Sorts by time: milliseconds in base 36, then random characters. */
    id: string;
    organization_id: string | null;
    time: number;
    action: string;
    actor: string;
    actor_id: string;
    target: string;
    target_id: string;
    address: string;
    /** JSON: an object of texts. */
    details: string;
    /** The text that a search looks through: all fields above that people read, in lower case. */
    words: string;
  };
  /** The latest CI jobs that showed an OIDC token whose signature was right. */
  exchanges: {
    /** Sorts by time, like the ids of audit_events. */
    id: string;
    organization_id: string;
    project_id: string;
    time: number;
    issuer: string;
    subject: string;
    /** JSON, see `trust/keep-exchange.ts`. */
    claims: string;
    is_refused: Flag;
    /** A sentence; "" when a token was given. */
    refused_because: string;
    /** JSON: a list of `ClaimCheck`. */
    differences: string;
    token_id: string | null;
    address: string;
  };
  /** An organization's usage, by day. */
  usage_counts: {
    organization_id: string;
    /** "": the whole organization. */
    project_id: string;
    /** Days since 1970, UTC. */
    day: number;
    kind: UsageKind;
    count: number;
  };
}

export type AccountDatabase = Database<AccountTables & LeaseTables>;
export type AccountTransaction = Transaction<AccountTables & LeaseTables>;
