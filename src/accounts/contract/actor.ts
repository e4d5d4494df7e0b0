/** The caller. */
import { NO_ORGANIZATION } from "#platform/fair/limits.ts";
import type { CacheRight, JobClaims, Role } from "../records/schema.ts";

export interface Membership {
  organizationId: string;
  organization: string;
  role: Role;
  /** Whether it is the server's first organization, whose owners operate the server. */
  isFirst: boolean;
}

export interface UserActor {
  kind: "user";
  userId: string;
  name: string;
  mail: string | null;
  via: "token" | "browser";
  tokenId: string | null;
  signInId: string | null;
  readOnly: boolean;
  /** Milliseconds since 1970. */
  expiresAt: number | null;
  /** The oldest first. */
  memberships: readonly Membership[];
  /** The organization that the call acts in: from the header `Millrace-Org`, else the oldest membership. */
  organizationId: string | null;
}

interface TokenActor {
  tokenId: string;
  /** The token's name. */
  name: string;
  organizationId: string;
  organization: string;
  expiresAt: number | null;
}

export interface OrganizationActor extends TokenActor {
  kind: "organization";
  readOnly: boolean;
}

export interface ProjectActor extends TokenActor {
  kind: "project";
  projectId: string;
  readOnly: boolean;
}

export interface JobActor extends TokenActor {
  kind: "job";
  /** Null: every project of the organization, for jobs on a Millrace runner. */
  projectId: string | null;
  cache: CacheRight;
  /** The claims that its issuer vouched for; absent for jobs on a Millrace runner. */
  claims?: JobClaims | null;
}

export type Actor = UserActor | OrganizationActor | ProjectActor | JobActor;

/** The subject of call limits: a person with all their tokens and browsers, or a token that belongs to no person. */
export const budgetOf = (actor: Actor): string => (actor.kind === "user" ? actor.userId : actor.tokenId);

/** The holder of a share of the server's work: the organization that the call acts in, or a person without an organization. */
export const holderOf = (actor: Actor): string => actor.organizationId ?? NO_ORGANIZATION + budgetOf(actor);

/** The membership of the organization that the call acts in. */
export function currentMembership(actor: UserActor): Membership | undefined {
  return actor.memberships.find(({ organizationId }) => organizationId === actor.organizationId);
}

/** The name of the organization that the call acts in. */
export function organizationNameOf(actor: Actor): string | null {
  return actor.kind === "user" ? (currentMembership(actor)?.organization ?? null) : actor.organization;
}

/** Whether the actor is an owner of the server's first organization. */
export function isOperator(actor: Actor): boolean {
  return actor.kind === "user" && actor.memberships.some(({ isFirst, role }) => isFirst && role === "owner");
}

export function isOwnerOf(actor: Actor, organizationId: string): boolean {
  if (actor.kind !== "user") return false;
  return actor.memberships.some(
    (membership) => membership.organizationId === organizationId && membership.role === "owner",
  );
}
