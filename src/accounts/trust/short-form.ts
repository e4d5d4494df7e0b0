/**
 * Short forms of trust relationships, as the command-line tool takes and shows them.
 *
 *   github:acme/web  ◄──►  issuer https://token.actions.githubusercontent.com, repository = acme/web
 */
export interface TrustTerms {
  issuer: string;
  /** Name of a claim → its exact value. */
  claims: Record<string, string>;
}

const CIRCLECI = "https://oidc.circleci.com/org/";
const CIRCLECI_PROJECT = "oidc.circleci.com/project-id";

const PROVIDERS: Record<string, (owner: string, name: string) => TrustTerms> = {
  github: (owner, name) => ({
    issuer: "https://token.actions.githubusercontent.com",
    claims: { repository: `${owner}/${name}` },
  }),
  gitlab: (owner, name) => ({
    issuer: "https://gitlab.com",
    claims: { project_path: `${owner}/${name}` },
  }),
  circleci: (owner, name) => ({ issuer: `${CIRCLECI}${owner}`, claims: { [CIRCLECI_PROJECT]: name } }),
  buildkite: (owner, name) => ({
    issuer: "https://agent.buildkite.com",
    claims: { organization_slug: owner, pipeline_slug: name },
  }),
};

const MAX_LENGTH = 500;
const PART = /^[\w.-]+$/;

/** @returns null for what is no short form */
export function parseShortForm(text: string): TrustTerms | null {
  if (text.length > MAX_LENGTH) return null;
  const colon = text.indexOf(":");
  const provider = Object.hasOwn(PROVIDERS, text.slice(0, colon)) && PROVIDERS[text.slice(0, colon)];
  const parts = text.slice(colon + 1).split("/");
  // GitLab has groups in groups.
  const name = parts.pop();
  const isDeep = parts.length > 1 && !text.startsWith("gitlab:");
  if (!provider || !name || parts.length === 0 || isDeep) return null;
  return [...parts, name].every((part) => PART.test(part)) ? provider(parts.join("/"), name) : null;
}

/** @returns null when no short form says the same */
export function formatShortForm({ issuer, claims }: TrustTerms): string | null {
  const value = (name: string) => claims[name] ?? "";
  const candidates = [
    `github:${value("repository")}`,
    `gitlab:${value("project_path")}`,
    `circleci:${issuer.slice(CIRCLECI.length)}/${value(CIRCLECI_PROJECT)}`,
    `buildkite:${value("organization_slug")}/${value("pipeline_slug")}`,
  ];
  return candidates.find((candidate) => isSame(parseShortForm(candidate), { issuer, claims })) ?? null;
}

function isSame(one: TrustTerms | null, other: TrustTerms): boolean {
  const names = Object.keys(other.claims);
  return (
    one !== null &&
    one.issuer === other.issuer &&
    Object.keys(one.claims).length === names.length &&
    names.every((name) => one.claims[name] === other.claims[name])
  );
}
