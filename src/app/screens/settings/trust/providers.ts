/** CI providers whose jobs can be trusted, and the claims that matter (content/docs/api/authentication/ci-providers.mdx). */
import type { TrustRelationship } from "#api/gen/json-types.ts";
import { missingOwners } from "#platform/text/shared-issuers.ts";

export type ProviderId = "github" | "gitlab" | "circleci" | "buildkite";

export interface Provider {
  id: ProviderId;
  label: string;
  issuer: string;
  /** Whether the issuer is this provider's; a self-managed GitLab has its own. */
  hasIssuer: (issuer: string) => boolean;
  /** Initial claims of a new relationship. */
  claims: readonly string[];
  /** At least one must identify the job's owner: anyone can run jobs at the provider. Empty: the issuer identifies the owner. */
  owners: readonly string[];
  /** Each excludes jobs that need no token. */
  narrower: readonly string[];
}

const GITHUB = "https://token.actions.githubusercontent.com";
const CIRCLECI = "https://oidc.circleci.com/org/";
const ownersAt = (issuer: string) => missingOwners(issuer, {});
const isSame = (wanted: string) => (issuer: string) => issuer.replace(/\/$/, "") === wanted;

export const PROVIDERS: readonly Provider[] = [
  {
    id: "github",
    label: "GitHub",
    issuer: GITHUB,
    hasIssuer: isSame(GITHUB),
    claims: ["repository"],
    owners: ownersAt(GITHUB),
    narrower: ["repository_owner_id", "ref", "environment", "event_name", "workflow_ref"],
  },
  {
    id: "gitlab",
    label: "GitLab",
    issuer: "https://gitlab.com",
    hasIssuer: isSame("https://gitlab.com"),
    claims: ["project_path"],
    owners: ownersAt("https://gitlab.com"),
    narrower: ["namespace_id", "ref", "ref_type", "ref_protected", "environment", "pipeline_source"],
  },
  {
    id: "circleci",
    label: "CircleCI",
    issuer: CIRCLECI,
    hasIssuer: (issuer) => issuer.startsWith(CIRCLECI),
    claims: ["oidc.circleci.com/project-id"],
    owners: [],
    narrower: ["oidc.circleci.com/vcs-ref", "oidc.circleci.com/context-ids"],
  },
  {
    id: "buildkite",
    label: "Buildkite",
    issuer: "https://agent.buildkite.com",
    hasIssuer: isSame("https://agent.buildkite.com"),
    claims: ["organization_slug", "pipeline_slug"],
    owners: ownersAt("https://agent.buildkite.com"),
    narrower: ["build_branch", "build_source", "step_key", "organization_id"],
  },
];

export const providerOf = (issuer: string): Provider | undefined =>
  PROVIDERS.find(({ hasIssuer }) => hasIssuer(issuer));

const REPOSITORIES: { readonly [id in ProviderId]: (claims: Record<string, string>) => string } = {
  github: (claims) => claims["repository"] ?? claims["repository_owner"] ?? "",
  gitlab: (claims) => claims["project_path"] ?? claims["namespace_path"] ?? "",
  circleci: (claims) => claims["oidc.circleci.com/project-id"] ?? "",
  buildkite: (claims) =>
    [claims["organization_slug"], claims["pipeline_slug"]].filter((part) => part !== undefined).join("/"),
};

/** The short form where possible: `github:acme/web`. */
export function nameRelationship({ issuer, claims }: Pick<TrustRelationship, "issuer" | "claims">): string {
  const provider = providerOf(issuer);
  const place = provider ? REPOSITORIES[provider.id](claims) : "";
  if (provider && place !== "") return `${provider.id}:${place}`;
  const [first = ""] = Object.values(claims);
  const host = URL.canParse(issuer) ? new URL(issuer).host : issuer;
  return first === "" ? host : `${host}:${first}`;
}
