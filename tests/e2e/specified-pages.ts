const guides = "/docs/container-builds/how-to-guides";
const reference = "/docs/container-builds/reference";
const languages = ["dotnet", "go-dockerfile", "java", "node", "php-composer-dockerfile", "python"];
const providers = ["aws-codebuild", "bitbucket-pipelines", "buildkite", "circleci", "fly", "github-actions"];

/** The links of the tree in the order of the specification, section 2 (the ten providers: `service.md`). */
export const specifiedPages = [
  "/docs",
  "/docs/core-concepts",
  "/docs/faq",
  "/docs/security",
  "/docs/agents/overview",
  "/docs/agents/claude-code/quickstart",
  "/docs/container-builds/overview",
  "/docs/container-builds/quickstart",
  "/docs/container-builds/troubleshooting",
  "/docs/container-builds/build-parallelism",
  ...["local-development", "continuous-integration", "autoscaling", "devcontainers"].map(
    (slug) => `${guides}/${slug}`,
  ),
  ...["docker-bake", "docker-build", "docker-compose"].map((slug) => `${guides}/${slug}`),
  ...["arm-containers", "private-registries", "optimal-dockerfiles"].map((slug) => `${guides}/${slug}`),
  ...[...languages, "ruby-bundler-dockerfile", "rust-dockerfile"].map(
    (slug) => `${guides}/optimal-dockerfiles/${slug}`,
  ),
  ...[...providers, "gitlab-ci", "google-cloud-build", "jenkins", "travis-ci"].map(
    (slug) => `${reference}/${slug}`,
  ),
  "/docs/integrations/tailscale",
  "/docs/registry/overview",
  "/docs/registry/quickstart",
  "/docs/github-actions/overview",
  "/docs/github-actions/quickstart",
  "/docs/github-actions/runner-types",
  "/docs/github-actions/how-to-guides/access-private-resources",
  "/docs/github-actions/reference/dagger",
  "/docs/github-actions/reference/dependabot",
  "/docs/integrations/tailscale",
  "/docs/cache/overview",
  "/docs/cache/authentication",
  ...["bazel", "gocache", "gradle", "maven", "moonrepo", "pants", "sccache", "turbo"].map(
    (slug) => `/docs/cache/reference/${slug}`,
  ),
  "/docs/cli/installation",
  "/docs/cli/authentication",
  "/docs/cli/reference",
  "/docs/api/overview",
  "/docs/api/api-container-builds-tutorial",
  "/docs/api/authentication",
  "/docs/managed/overview",
  "/docs/managed/on-aws",
  "/docs/managed/using-gpus",
];
