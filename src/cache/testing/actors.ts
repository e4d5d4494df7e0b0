/** For tests: users of a cache, without accounts. */
import type { Actor } from "#accounts/index.ts";

/** A token that writes to the trusted namespace of the organization `org_<name>`. */
export const organizationActor = (name: string): Actor => ({
  kind: "organization",
  tokenId: "tok_ci",
  name: "ci",
  organizationId: `org_${name}`,
  organization: name,
  expiresAt: null,
  readOnly: false,
});

/** The owner of `org_acme`. */
export const OWNER: Actor = {
  kind: "user",
  userId: "usr_ada",
  name: "ada",
  mail: null,
  via: "token",
  tokenId: "tok_ada",
  signInId: null,
  readOnly: false,
  expiresAt: null,
  memberships: [{ organizationId: "org_acme", organization: "acme", role: "owner", isFirst: false }],
  organizationId: "org_acme",
};

/** A job of `org_acme` that writes to an overlay above the trusted namespace. */
export const OVERLAY_JOB: Actor = {
  kind: "job",
  tokenId: "tok_job",
  name: "repo:acme/web:pull_request",
  organizationId: "org_acme",
  organization: "acme",
  expiresAt: null,
  projectId: "prj_web",
  cache: "overlay",
  claims: { subject: "repo:acme/web:pull_request", sha: "a1", ref: "refs/pull/7/merge", runUrl: null },
};
