/**
 * Issuers of OIDC tokens that anyone in the world may use → claims of which one must be named, because only these identify the
 * owner of a job: with `ref` alone, the main branch of every repository would be trusted. A provider with an issuer for each
 * customer (CircleCI, Bitbucket, Azure DevOps, an Entra tenant) is not here.
 */
export const SHARED_ISSUERS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  [
    "https://token.actions.githubusercontent.com",
    ["repository", "repository_id", "repository_owner", "repository_owner_id", "sub"],
  ],
  ["https://gitlab.com", ["project_path", "project_id", "namespace_path", "namespace_id", "sub"]],
  ["https://agent.buildkite.com", ["organization_slug", "organization_id", "pipeline_id", "sub"]],
  // Not `email`: an account may carry a mail address that no one has confirmed.
  ["https://accounts.google.com", ["sub"]],
  // HCP Terraform.
  ...["https://app.terraform.io", "https://app.eu.terraform.io"].map(
    (issuer) =>
      [
        issuer,
        ["terraform_organization_id", "terraform_project_id", "terraform_workspace_id", "sub"],
      ] as const,
  ),
  ["https://oidc.codefresh.io", ["account_id", "pipeline_id", "sub"]],
  // Vercel, unless a team has chosen an issuer of its own.
  ["https://oidc.vercel.com", ["owner_id", "project_id", "sub"]],
  // Personal accounts of Microsoft; every other tenant of Entra belongs to one organization.
  ["https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0", ["sub", "oid"]],
]);

/** @returns claims of which one must be named and is not; []: the relationship names an owner */
export function missingOwners(issuer: string, claims: Readonly<Record<string, string>>): readonly string[] {
  const owners = SHARED_ISSUERS.get(issuer.replace(/\/$/, "")) ?? [];
  return owners.some((name) => Object.hasOwn(claims, name) && claims[name] !== "") ? [] : owners;
}
