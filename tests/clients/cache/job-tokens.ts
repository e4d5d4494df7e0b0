/** A CI system for the stage: its OIDC tokens are exchanged for job tokens of a project that trusts it. */
import type { TestIssuer } from "#accounts/testing/issuer.ts";
import { SITE_ORIGIN } from "../../attack/server-process.ts";

const REPOSITORY = "acme/shop";
const MAIN = "refs/heads/main";
const LIFETIME_S = 600;

export type Call = <Answer>(method: string, body: object) => Promise<Answer>;

export interface Job {
  /** GitHub's name for it. */
  ref: string;
  event: "push" | "pull_request" | "schedule";
  sha?: string;
}

export const trustedJob: Job = { ref: MAIN, event: "push" };
export const pullRequestJob = (number: number): Job => ({
  ref: `refs/pull/${number}/merge`,
  event: "pull_request",
});
/** The matching trust relationship does not mention the cache. */
export const readingJob: Job = { ref: MAIN, event: "schedule" };

/** The project trusts pushes to the main branch with `write`, pull requests with `overlay`, and all others with `read`. */
export async function trustIssuer(call: Call, issuer: TestIssuer, projectId: string): Promise<void> {
  const claims = { repository: REPOSITORY };
  await call("ProjectService/Update", {
    project_id: projectId,
    trust_relationships: [
      { issuer: issuer.origin, claims },
      { issuer: issuer.origin, claims: { ...claims, event_name: "pull_request" }, cache: "overlay" },
      { issuer: issuer.origin, claims: { ...claims, event_name: "push", ref: MAIN }, cache: "write" },
    ],
  });
}

/** Each job has a token of its own. */
export async function startJob(
  call: Call,
  { issuer, projectId, job }: { issuer: TestIssuer; projectId: string; job: Job },
): Promise<string> {
  const oidcToken = await issuer.sign({
    sub: `repo:${REPOSITORY}:ref:${job.ref}`,
    aud: SITE_ORIGIN,
    exp: Date.now() / 1000 + LIFETIME_S,
    repository: REPOSITORY,
    ref: job.ref,
    event_name: job.event,
    sha: job.sha,
  });
  const exchange = { project_id: projectId, oidc_token: oidcToken };
  return (await call<{ secret: string }>("TokenService/ExchangeOidcToken", exchange)).secret;
}
