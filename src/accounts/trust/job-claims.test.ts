/** 1. Commit, ref, run, workflow and request of each provider, by its own names. 2. Nothing hostile becomes a link or a line of a page. */
import { expect, test } from "vitest";
import { jobClaimsOf } from "./job-claims.ts";

test.each([
  [
    "GitHub",
    {
      iss: "https://token.actions.githubusercontent.com",
      sub: "repo:acme/web:pull_request",
      repository: "acme/web",
      ref: "refs/pull/7/merge",
      sha: "a1b2",
      run_id: "42",
      workflow_ref: "acme/web/.github/workflows/image.yml@refs/pull/7/merge",
      workflow: "Image",
    },
    {
      subject: "repo:acme/web:pull_request",
      sha: "a1b2",
      ref: "refs/pull/7/merge",
      runUrl: "https://github.com/acme/web/actions/runs/42",
      workflow: "image.yml",
      pullUrl: "https://github.com/acme/web/pull/7",
    },
  ],
  [
    "GitLab",
    {
      iss: "https://gitlab.acme.example",
      sub: "project_path:acme/web:ref_type:branch:ref:main",
      project_path: "acme/web",
      ref: "main",
      ref_path: "refs/heads/main",
      sha: "a1b2",
      job_id: "9",
    },
    {
      subject: "project_path:acme/web:ref_type:branch:ref:main",
      sha: "a1b2",
      ref: "refs/heads/main",
      runUrl: "https://gitlab.acme.example/acme/web/-/jobs/9",
      workflow: null,
      pullUrl: null,
    },
  ],
  [
    "a merge request",
    {
      iss: "https://gitlab.acme.example",
      sub: "project_path:acme/web:ref_type:branch:ref:express",
      project_path: "acme/web",
      ref_path: "refs/merge-requests/7/head",
    },
    {
      subject: "project_path:acme/web:ref_type:branch:ref:express",
      sha: null,
      ref: "refs/merge-requests/7/head",
      runUrl: null,
      workflow: null,
      pullUrl: "https://gitlab.acme.example/acme/web/-/merge_requests/7",
    },
  ],
  [
    "Buildkite",
    {
      iss: "https://agent.buildkite.com",
      sub: "organization:acme:pipeline:web",
      organization_slug: "acme",
      pipeline_slug: "web",
      build_number: 17,
      build_branch: "feature",
      build_commit: "a1b2",
    },
    {
      subject: "organization:acme:pipeline:web",
      sha: "a1b2",
      ref: "feature",
      runUrl: "https://buildkite.com/acme/web/builds/17",
      workflow: "web",
      pullUrl: null,
    },
  ],
  [
    "another",
    { iss: "https://ci.example", sub: "job 1" },
    { subject: "job 1", sha: null, ref: null, runUrl: null, workflow: null, pullUrl: null },
  ],
])("1. %s", (_, claims, expected) => {
  expect(jobClaimsOf(claims)).toEqual(expected);
});

test("2. hostile", () => {
  const { ref, runUrl } = jobClaimsOf({
    iss: "javascript:alert(1)",
    sub: "x",
    ref: `refs/\n\u202Eheads/${"a".repeat(9_999)}`,
    project_path: "../../evil?x#y",
    job_id: "1",
  });
  expect(runUrl).toBeNull();
  expect(ref?.length).toBeLessThanOrEqual(200);
  expect(ref).not.toMatch(/\p{C}/u);
  const { runUrl: kept } = jobClaimsOf({ iss: "https://ci.example", project_path: "a?b#c", job_id: "1" });
  expect(kept).toBe("https://ci.example/a%3Fb%23c/-/jobs/1");
  expect(jobClaimsOf({ sha: ["a", "b"], ref: { a: 1 } })).toMatchObject({ sha: null, ref: null });
});
