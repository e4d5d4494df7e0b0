import { readFileSync } from "node:fs";
import { parse } from "yaml";

/** The tools of the build cache have a page each. */
const { tools } = parse(readFileSync("content/facts/cache.yaml", "utf8")) as {
  tools: { id: string; name: string }[];
};
const guides = "/docs/container-builds/how-to-guides";
const reference = "/docs/container-builds/reference";
const languages = ["dotnet", "go-dockerfile", "java", "node", "php-composer-dockerfile", "python"];
const providers = ["aws-codebuild", "bitbucket-pipelines", "buildkite", "circleci", "fly", "github-actions"];

/** The links of the tree in the order of the specification, section 2. */
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
  ...tools.map(({ id }) => `/docs/cache/reference/${id}`),
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

/**
 * Their labels in the tree, by path. The specification gives the labels of the top level and two others; the rest are
 * short titles.
 */
export const specifiedLabels: Readonly<Record<string, string>> = {
  "/docs": "Get Started",
  "/docs/core-concepts": "Core Concepts",
  "/docs/faq": "FAQs",
  "/docs/security": "Security",
  "/docs/managed/overview": "Overview and Benefits",
  "/docs/managed/on-aws": "On AWS",
  "/docs/managed/using-gpus": "Using GPUs",
  "/docs/container-builds/troubleshooting": "Troubleshooting",
  "/docs/container-builds/build-parallelism": "Build parallelism",
  "/docs/integrations/tailscale": "Tailscale",
  "/docs/github-actions/runner-types": "Runner types",
  "/docs/github-actions/how-to-guides/access-private-resources": "Private resources",
  "/docs/github-actions/reference/dagger": "Dagger",
  "/docs/github-actions/reference/dependabot": "Dependabot",
  "/docs/cli/installation": "Installation",
  "/docs/cli/reference": "Reference",
  "/docs/api/api-container-builds-tutorial": "Container builds tutorial",
  [`${guides}/local-development`]: "Local development",
  [`${guides}/continuous-integration`]: "Continuous integration",
  [`${guides}/autoscaling`]: "Autoscaling",
  [`${guides}/devcontainers`]: "Dev containers",
  [`${guides}/docker-bake`]: "Docker Bake",
  [`${guides}/docker-build`]: "Docker build",
  [`${guides}/docker-compose`]: "Docker Compose",
  [`${guides}/arm-containers`]: "Arm containers",
  [`${guides}/private-registries`]: "Private registries",
  [`${guides}/optimal-dockerfiles`]: "Optimal Dockerfiles",
  ...labelled(`${guides}/optimal-dockerfiles`, {
    dotnet: ".NET",
    "go-dockerfile": "Go",
    java: "Java",
    node: "Node.js",
    "php-composer-dockerfile": "PHP",
    python: "Python",
    "ruby-bundler-dockerfile": "Ruby",
    "rust-dockerfile": "Rust",
  }),
  ...labelled(reference, {
    "aws-codebuild": "AWS CodeBuild",
    "bitbucket-pipelines": "Bitbucket Pipelines",
    buildkite: "Buildkite",
    circleci: "CircleCI",
    fly: "Fly.io",
    "github-actions": "GitHub Actions",
    "gitlab-ci": "GitLab CI",
    "google-cloud-build": "Google Cloud Build",
    jenkins: "Jenkins",
    "travis-ci": "Travis CI",
  }),
  ...labelled("/docs/cache/reference", Object.fromEntries(tools.map(({ id, name }) => [id, name]))),
  ...Object.fromEntries(
    ["agents", "container-builds", "registry", "github-actions", "cache", "api"].map((section) => [
      `/docs/${section}/overview`,
      "Overview",
    ]),
  ),
  ...Object.fromEntries(
    ["agents/claude-code", "container-builds", "registry", "github-actions"].map((section) => [
      `/docs/${section}/quickstart`,
      "Quickstart",
    ]),
  ),
  ...Object.fromEntries(
    ["cache", "cli", "api"].map((section) => [`/docs/${section}/authentication`, "Authentication"]),
  ),
};

function labelled(folder: string, names: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(names).map(([slug, label]) => [`${folder}/${slug}`, label]));
}
