/** The results of a relationship's tests, in sentences. */
import type { ClaimCheck, TrustTest } from "#api/gen/json-types.ts";

export interface TestSummary {
  tone: "ok" | "warn" | "info";
  title: string;
  text: string;
  /** Jobs that would not get a token, newest first. */
  refused: readonly TrustTest[];
}

export function summarizeTests(tests: readonly TrustTest[], project: string): TestSummary {
  const refused = tests.filter(({ matches }) => !matches);
  const all = tests.length;
  if (all === 0)
    return {
      tone: "info",
      title: "Nothing to try it on yet.",
      text: `No job has requested a token for ${project} in 30 days. Test a job's token instead.`,
      refused,
    };
  const jobs = all === 1 ? "The last job" : `${all - refused.length} of the last ${all} jobs`;
  if (refused.length === 0)
    return {
      tone: "ok",
      title: all === 1 ? "The last job would get a token." : `All of the last ${all} jobs would get a token.`,
      text: "",
      refused,
    };
  return {
    tone: refused.length === all ? "warn" : "ok",
    title:
      all === 1
        ? "The last job would not get a token."
        : `${refused.length === all ? `None of the last ${all} jobs` : jobs} would get a token.`,
    text: refused.length === 1 && all > 1 ? "This one would not:" : "These would not:",
    refused,
  };
}

/** For the column "You require". */
export function describeWanted({ claim, wanted, matches }: ClaimCheck): string {
  if (claim === "aud") return "the origin";
  return claim === "iss" && matches ? "the same" : wanted;
}

export const describeGot = ({ got, is_missing }: ClaimCheck): string =>
  is_missing ? "nothing" : got || "a list or an object";

/** What to change so that the job gets a token; empty when it already does. */
export function explainRefusal(checks: readonly ClaimCheck[], subject = ""): string {
  const different = checks.filter(({ matches }) => !matches);
  const names = different.map(({ claim }) => claim);
  const [first] = different;
  if (!first) return "";
  if (names.includes("iss"))
    return "The token comes from another provider: add a relationship with its issuer, exactly as in the claim iss.";
  if (names.includes("aud"))
    return "The job's token is for a different audience: request it with this server's origin as the audience.";
  if (different.length > 1)
    return `To let this job in, remove ${listNames(names)}, or add a second relationship for jobs like it.`;
  if (first.is_missing)
    return `To let this job in, make its token include ${first.claim}, or remove ${first.claim} here.`;
  if (/pull|merge_request/.test(`${first.got} ${subject}`))
    return `To let pull requests build as well, remove ${first.claim}, or add a relationship of a project for pull requests.`;
  if (first.got.toLowerCase() === first.wanted.toLowerCase())
    return `${first.claim} differs only in upper and lower case: write ${first.got}.`;
  return `To let this job in, require ${first.got} for ${first.claim}, remove ${first.claim}, or add a second relationship.`;
}

function listNames(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
