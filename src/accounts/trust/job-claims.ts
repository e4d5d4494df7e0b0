/**
 * Claims of a CI job that its issuer vouched for and that other rooms need, by the providers' names: the commit, the ref, the
 * workflow, and the pages of the run and of the request that it checks.
 */
import { MAX_SUBJECT_LENGTH } from "../contract/limits.ts";
import type { JobClaims } from "../records/schema.ts";
import { type Claims, subjectOf } from "./keep-exchange.ts";
import { textOf } from "./match-claims.ts";

const SHA = ["sha", "build_commit", "oidc.circleci.com/vcs-sha", "commit_sha"];
/** GitLab's `ref` is only a name; its `ref_path` includes the kind. */
const REF = ["ref_path", "ref", "oidc.circleci.com/vcs-ref", "build_branch", "branchName"];
const MAX_URL_LENGTH = 500;

export function jobClaimsOf(claims: Claims): JobClaims {
  return {
    subject: subjectOf(claims),
    sha: firstOf(claims, SHA),
    ref: firstOf(claims, REF),
    runUrl: runUrlOf(claims),
    workflow: workflowOf(claims),
    pullUrl: pullUrlOf(claims),
  };
}

/** From the column of a token's row. */
export function readJobClaims(json: string | null): JobClaims | null {
  // Written by `jobClaimsOf`.
  return json === null ? null : (JSON.parse(json) as JobClaims);
}

function firstOf(claims: Claims, names: readonly string[]): string | null {
  for (const name of names) {
    const text = read(claims, name);
    if (text !== "") return text;
  }
  return null;
}

/** Safe to show; "" when it is absent. */
function read(claims: Claims, name: string): string {
  const text = Object.hasOwn(claims, name) ? (textOf(claims[name]) ?? "") : "";
  return text.slice(0, MAX_SUBJECT_LENGTH).toWellFormed().replace(/\p{C}/gu, "?");
}

/** GitHub, including self-hosted servers; GitLab; Buildkite. */
function runUrlOf(claims: Claims): string | null {
  const get = (name: string) => read(claims, name);
  const issuer = get("iss");
  if (get("repository") !== "" && get("run_id") !== "")
    return addressOf(gitHubOf(issuer), `${get("repository")}/actions/runs/${get("run_id")}`);
  if (get("project_path") !== "" && get("job_id") !== "")
    return addressOf(issuer, `${get("project_path")}/-/jobs/${get("job_id")}`);
  if (get("pipeline_slug") !== "" && get("build_number") !== "")
    return addressOf(
      "https://buildkite.com",
      `${get("organization_slug")}/${get("pipeline_slug")}/builds/${get("build_number")}`,
    );
  return null;
}

/** GitHub: the file's name from `acme/web/.github/workflows/image.yml@refs/heads/main`. Buildkite: its pipeline. */
function workflowOf(claims: Claims): string | null {
  const [path = ""] = read(claims, "workflow_ref").split("@");
  return path.split("/").at(-1) || read(claims, "workflow") || read(claims, "pipeline_slug") || null;
}

/** GitHub: `refs/pull/7/merge`. GitLab: `refs/merge-requests/7/head`. */
function pullUrlOf(claims: Claims): string | null {
  const [, kind, number = ""] =
    /^refs\/(pull|merge-requests)\/(\d{1,12})\//.exec(firstOf(claims, REF) ?? "") ?? [];
  const repository = read(claims, "repository");
  if (kind === "pull" && repository !== "")
    return addressOf(gitHubOf(read(claims, "iss")), `${repository}/pull/${number}`);
  const project = read(claims, "project_path");
  if (kind === "merge-requests" && project !== "")
    return addressOf(read(claims, "iss"), `${project}/-/merge_requests/${number}`);
  return null;
}

function gitHubOf(issuer: string): string {
  if (!URL.canParse(issuer)) return "";
  const { origin, hostname } = new URL(issuer);
  return hostname.endsWith(".actions.githubusercontent.com") ||
    hostname === "token.actions.githubusercontent.com"
    ? "https://github.com"
    : origin;
}

/** Only an address to which a page may link. */
function addressOf(origin: string, path: string): string | null {
  if (!URL.canParse(origin)) return null;
  const { protocol, origin: host } = new URL(origin);
  if (protocol !== "https:" && protocol !== "http:") return null;
  const { href } = new URL(`${host}/${path.split("/").map(encodeURIComponent).join("/")}`);
  return href.length <= MAX_URL_LENGTH ? href : null;
}
