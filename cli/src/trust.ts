/** The short form of trust relationships: `github:acme/web`. */
import type { TrustRelationship } from "./client.ts";
import { usageError } from "./errors.ts";
import { cleanText } from "./text.ts";

type Relationship = Pick<TrustRelationship, "issuer" | "claims" | "cache">;

const GITHUB = "https://token.actions.githubusercontent.com";
const GITLAB = "https://gitlab.com";
const CIRCLECI = "https://oidc.circleci.com/org/";
const BUILDKITE = "https://agent.buildkite.com";
const CIRCLECI_PROJECT = "oidc.circleci.com/project-id";

/** @throws CliError with exit code 2 */
export function parseTrust(text: string, flag: string): Omit<Relationship, "cache"> {
  const [, provider = "", first = "", second = ""] = /^([a-z]+):([\w.-]+)\/([\w./-]+)$/.exec(text) ?? [];
  const subject = `${first}/${second}`;
  const isPair = first !== "" && !second.includes("/");
  if (provider === "github" && isPair) return { issuer: GITHUB, claims: { repository: subject } };
  // A GitLab project may be in nested groups.
  if (provider === "gitlab" && first !== "") return { issuer: GITLAB, claims: { project_path: subject } };
  if (provider === "circleci" && isPair)
    return { issuer: CIRCLECI + first, claims: { [CIRCLECI_PROJECT]: second } };
  if (provider === "buildkite" && isPair)
    return { issuer: BUILDKITE, claims: { organization_slug: first, pipeline_slug: second } };
  throw usageError(
    `${flag} ${text} is not one of: github:<owner>/<repository>, gitlab:<group>/<project>, circleci:<organization id>/<project id>, buildkite:<organization>/<pipeline>`,
  );
}

/** Whether both mean the same jobs, regardless of their cache permission. */
export function isSameTrust(a: Omit<Relationship, "cache">, b: Omit<Relationship, "cache">): boolean {
  const names = Object.keys(a.claims);
  return (
    a.issuer === b.issuer &&
    names.length === Object.keys(b.claims).length &&
    names.every((name) => a.claims[name] === b.claims[name])
  );
}

/** The short form if there is one, otherwise issuer and claims. */
export function describeTrust({ issuer, claims, cache }: Relationship): string {
  const shorts = [
    `github:${claims["repository"]}`,
    `gitlab:${claims["project_path"]}`,
    `circleci:${issuer.slice(CIRCLECI.length)}/${claims[CIRCLECI_PROJECT]}`,
    `buildkite:${claims["organization_slug"]}/${claims["pipeline_slug"]}`,
  ];
  const short = shorts.find((text) => isShortOf(text, { issuer, claims }));
  const long = [issuer, ...Object.entries(claims).map(([name, value]) => `${name}=${value}`)].join(" ");
  return cleanText((short ?? long) + (cache === "" || cache === "read" ? "" : `, cache ${cache}`));
}

function isShortOf(text: string, relationship: Omit<Relationship, "cache">): boolean {
  try {
    return isSameTrust(parseTrust(text, ""), relationship);
  } catch {
    return false;
  }
}
