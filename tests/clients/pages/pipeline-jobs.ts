/** A CI provider's machine for the scripts of a page: its variables, and programs of its own. */
import type { Change } from "./page-plan.ts";

export interface PipelineJob {
  /** Set by the provider, or by a step that only it can run. */
  env: { [name: string]: string };
  /** Programs that only the provider's machine has, as shell scripts. */
  programs?: { [name: string]: string };
  /**
   * Changes in the scripts: texts that the provider replaces before a shell runs, and other registries, for which the
   * server's own stands in.
   */
  changes?: readonly Change[];
  /** How many builds `if` and `case` leave out. Default 0. */
  leftOut?: number;
  /** Tags of images that the scripts leave in the registry. */
  tags: readonly string[];
}

const COMMIT = "4be92d1f0c7a83e5d6b1290fa4c3e8d75b60a1f2";
/** Every provider's machine gets the CLI from the server; here it is installed already. */
export const PROGRAMS = {
  npm: '[ "$*" = "install -g $MILLRACE_URL/cli/millrace.tgz" ]',
  npx: '[ "$1 $2 $3 $4" = "-y --package $MILLRACE_URL/cli/millrace.tgz millrace" ] && shift 3 && exec "$@"',
  sudo: 'exec "$@"',
};
/** Writes nothing: Docker's own command line logs in in the tests of the registry. */
const DOCKER = '[ "$1" = login ] && cat > /dev/null';
const GHCR = [/ghcr\.io\/acme\/(?:shop|web)/g, "{{host}}/acme/shop"] as const;

/** By the pages' paths below `/docs/container-builds/`. */
export const PIPELINE_JOBS: { [page: string]: PipelineJob } = {
  "how-to-guides/continuous-integration": {
    env: { CI_BRANCH: "main", CI_COMMIT: `ci-${COMMIT}` },
    // The build of a pull request.
    leftOut: 1,
    tags: ["main", `ci-${COMMIT}`],
  },
  "how-to-guides/continuous-integration/migrate": {
    env: { GITHUB_SHA: COMMIT },
    changes: [GHCR],
    tags: [`millrace-${COMMIT}`],
  },
  "how-to-guides/devcontainers": {
    env: {},
    // The machine has one architecture.
    changes: [["linux/amd64,linux/arm64", "linux/amd64"]],
    tags: ["devcontainer"],
  },
  "how-to-guides/docker-build/secrets": { env: { NPM_TOKEN: "secret" }, tags: [] },
  "how-to-guides/optimal-dockerfiles/go-dockerfile/private-modules": {
    env: { GIT_TOKEN: "secret" },
    tags: [],
  },
  "overview/depot": { env: {}, tags: ["main"] },
  "overview/docker-build-cloud": {
    env: {},
    changes: [["docker.io/acme/web:main", "{{host}}/acme/shop:cloud"]],
    tags: ["cloud"],
  },
  "reference/aws-codebuild": {
    env: { CODEBUILD_WEBHOOK_TRIGGER: "branch/main", CODEBUILD_RESOLVED_SOURCE_VERSION: `aws-${COMMIT}` },
    programs: { aws: "echo password", docker: DOCKER },
    changes: [[/registry="123.*"/, 'registry="{{host}}/acme"']],
    leftOut: 1,
    tags: [`aws-${COMMIT}`],
  },
  "reference/bitbucket-pipelines": {
    env: { BITBUCKET_COMMIT: `bitbucket-${COMMIT}` },
    tags: ["main", `bitbucket-${COMMIT}`, `api-bitbucket-${COMMIT}`, `web-bitbucket-${COMMIT}`],
  },
  "reference/buildkite": {
    env: { BUILDKITE_BRANCH: "trunk", BUILDKITE_COMMIT: `buildkite-${COMMIT}` },
    programs: { "buildkite-agent": '[ "$1 $2 $3" = "annotate --style success" ]' },
    // Replaced when the pipeline is uploaded.
    changes: [["$$", "$"]],
    tags: ["trunk", `buildkite-${COMMIT}`],
  },
  "reference/circleci": {
    env: { CIRCLE_SHA1: `circleci-${COMMIT}`, BASH_ENV: "bash-env" },
    programs: {
      circleci: '[ "$*" = "run oidc get --claims {\\"aud\\":\\"$MILLRACE_URL\\"}" ] && echo token',
    },
    tags: ["main", `circleci-${COMMIT}`],
  },
  "reference/fly": {
    env: { FLY_API_TOKEN: "token" },
    programs: { fly: 'case "$*" in "auth docker") ;; "deploy --image "*@sha256:*) ;; *) exit 1 ;; esac' },
    changes: [["registry.fly.io/acme-shop", "{{host}}/acme/shop"]],
    tags: [],
  },
  "reference/github-actions": {
    env: { GITHUB_SHA: `github-${COMMIT}` },
    changes: [
      GHCR,
      // The machine has one architecture.
      ["${{ matrix.platform }}", "linux/amd64"],
      ["${{ matrix.image }}", "web"],
    ],
    tags: ["main", `github-${COMMIT}`],
  },
  "reference/gitlab-ci": {
    env: {
      CI_COMMIT_REF_SLUG: "main",
      CI_COMMIT_SHA: `gitlab-${COMMIT}`,
      CI_REGISTRY: "{{host}}",
      CI_REGISTRY_USER: "x-token",
      CI_REGISTRY_PASSWORD: "{{token}}",
      CI_REGISTRY_IMAGE: "{{host}}/acme/shop",
      IMAGE_DIGEST: "sha256:…",
    },
    tags: ["main", `gitlab-${COMMIT}`],
  },
  "reference/google-cloud-build": {
    env: { BRANCH_NAME: "main", COMMIT_SHA: `google-${COMMIT}`, PROJECT_ID: "acme-ci" },
    programs: { gcloud: "echo token" },
    changes: [
      ["/workspace/", ""],
      [/europe-west3-docker\.pkg\.dev\/\$PROJECT_ID\/images/, "{{host}}/acme"],
    ],
    tags: ["main", `google-${COMMIT}`],
  },
  "reference/jenkins": {
    env: { GIT_COMMIT: `jenkins-${COMMIT}`, WORKSPACE_TMP: ".", GH_USER: "ada", GH_TOKEN: "token" },
    programs: { docker: DOCKER },
    changes: [GHCR],
    tags: ["main", `jenkins-${COMMIT}`],
  },
  "reference/travis-ci": {
    env: { TRAVIS_COMMIT: `travis-${COMMIT}` },
    changes: [
      ["--load -t shop", "-t shop"],
      [/^docker run .*/m, ""],
    ],
    tags: ["main", `travis-${COMMIT}`],
  },
};

/** Their scripts run where their output is compared: `builds-plans-more.ts`. */
export const RUN_WITH_PAGES = ["how-to-guides/autoscaling", "how-to-guides/continuous-integration/monorepo"];
