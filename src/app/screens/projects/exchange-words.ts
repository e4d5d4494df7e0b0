/** Why a CI job got no token, in one line. Values are the job's own: hostile text that is shown as text. */
import type { ClaimCheck, Exchange } from "#api/gen/json-types.ts";

/** `ref is refs/pull/418/merge`, or the server's words when no claim explains it. */
export function describeDifference({ differences, refused_because }: Exchange): string {
  const [first] = differences;
  return first ? describeCheck(first) : refused_because;
}

export function describeCheck({ claim, got, is_missing, wanted }: ClaimCheck): string {
  if (is_missing) return `${claim} is missing; expected ${wanted}`;
  return `${claim} is ${got || "empty"}, not ${wanted}`;
}

const PROVIDERS: readonly (readonly [host: RegExp, name: string])[] = [
  [/^token\.actions\.githubusercontent\.com$/, "GitHub Actions"],
  [/^gitlab\.com$/, "GitLab CI"],
  [/^oidc\.circleci\.com$/, "CircleCI"],
  [/^agent\.buildkite\.com$/, "Buildkite"],
];

/** The provider of an issuer's address; the host of a self-managed one. */
export function nameProvider(issuer: string): string {
  if (!URL.canParse(issuer)) return issuer;
  const { host } = new URL(issuer);
  return PROVIDERS.find(([pattern]) => pattern.test(host))?.[1] ?? host;
}
