/** Relationships that trust more jobs than their owner may think. The server refuses those that trust everyone. */
import type { TrustRelationship } from "#api/gen/json-types.ts";
import { missingOwners } from "#platform/text/shared-issuers.ts";
import { providerOf } from "./providers.ts";

export interface WidthWarning {
  /** It trusts everyone in the world, so it cannot be saved. */
  isOpen: boolean;
  title: string;
  text: string;
}

/** Claims of a single repository, by provider; without one of them every repository of the owner is trusted. */
const ONE_REPOSITORY: { readonly [id: string]: readonly string[] } = {
  github: ["repository", "repository_id", "sub", "workflow_ref", "job_workflow_ref"],
  gitlab: ["project_path", "project_id", "sub"],
  circleci: ["oidc.circleci.com/project-id", "sub"],
  buildkite: ["pipeline_slug", "pipeline_id", "sub"],
};

/** Claims that exclude pull requests and branches of other people. */
const ONE_PLACE: { readonly [id: string]: readonly string[] } = {
  github: ["ref", "environment", "sub", "event_name", "workflow_ref"],
  gitlab: ["ref", "ref_protected", "environment", "sub", "pipeline_source"],
  circleci: ["oidc.circleci.com/vcs-ref", "oidc.circleci.com/context-ids", "sub"],
  buildkite: ["build_branch", "build_source", "step_key", "sub"],
};

export function findWidth({ issuer, claims, cache }: TrustRelationship): WidthWarning | null {
  const provider = providerOf(issuer);
  const names = new Set(Object.entries(claims).flatMap(([name, value]) => (value === "" ? [] : [name])));
  const owners = missingOwners(issuer, claims);
  if (owners.length > 0) return trustsEveryone(provider?.label ?? new URL(issuer).host, owners);
  if (!provider) return null;
  const { id } = provider;
  const hasOne = (wanted: readonly string[]) => wanted.some((name) => names.has(name));
  if (!hasOne(ONE_REPOSITORY[id] ?? []))
    return {
      isOpen: false,
      title: `Every ${id === "gitlab" || id === "circleci" ? "project" : id === "buildkite" ? "pipeline" : "repository"} of this owner would get a token.`,
      text: `Also require ${provider.claims.at(-1)}.`,
    };
  if (cache !== "read" && !hasOne(ONE_PLACE[id] ?? []))
    return {
      isOpen: false,
      title: "Jobs of every branch could write to the cache.",
      text: `The next release reads what a pull request writes there. Require ${ONE_PLACE[id]?.slice(0, 2).join(" or ")}, or let these jobs only read.`,
    };
  return null;
}

const trustsEveryone = (place: string, owners: readonly string[]): WidthWarning => ({
  isOpen: true,
  title: `Anybody at ${place} would get a token.`,
  text:
    owners.length === 1
      ? `Anybody can get a token there. Require ${owners[0]}, which identifies the owner.`
      : `Anybody can run a job there. Require ${owners.slice(0, 3).join(", ")} or another claim that identifies the owner.`,
});
