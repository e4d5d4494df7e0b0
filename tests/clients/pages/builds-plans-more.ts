/**
 * The pages about container builds in CI, on Arm, in editors and with other registries. Files of CI providers are run by
 * `pipelines.test.ts`, and Dockerfiles are checked by `dockerfiles.test.ts`.
 */
import { findCrane, findDocker } from "../registry/tools.ts";
import { type Change, LOG_IN, type PagePlan, type StepPlan } from "./page-plan.ts";
import { all, ENGINE } from "./registry-plans.ts";

const SHOP = "prj_7q4hx2n9ds";
const IN_SHOP = `${LOG_IN} && millrace init --project ${SHOP}`;
const leftOut = (isLeftOut: string, ...starts: readonly string[]): StepPlan[] =>
  starts.map((each) => ({ starts: each, isLeftOut }));
/** Numbers of a reader's own project. */
const COUNTS: readonly Change[] = [
  [/ \d+\/\d+ /, " … "],
  [/ (?:\d+m )?\d+s$/, " …"],
];
const LAST_BUILD = `"$(millrace builds list --limit 1 --output json | jq -r '.[0].id')"`;
const TOKEN = (name: string) =>
  `"$(millrace tokens list --output json | jq -r '[.[] | select(.name == "${name}") | .id][0]')"`;
const COMMIT =
  "git init -q && git add . && git -c user.name=ada -c user.email=ada@acme.example commit -q -m Begin";
/** A plugin of Docker's command line. */
const PLUGIN = "mkdir -p ~/.docker/cli-plugins && ln -s $MILLRACE_BUILDX ~/.docker/cli-plugins/docker-buildx";

/** Six steps. */
const NODE_SHOP = {
  "package.json": "{}",
  "package-lock.json": "{}",
  Dockerfile: `# syntax=docker/dockerfile:1
FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
RUN npm run build
COPY . .
`,
};
const service = (path: string) => ({
  [`${path}/Dockerfile`]: `FROM node:24-alpine\nWORKDIR /app\nCOPY ${path}/ ./\nRUN npm run build\n`,
  [`${path}/package.json`]: "{}",
});
const builds = (count: number) => Array(count).fill("millrace build --quiet . > /dev/null").join(" && ");

export const BUILDS_PLANS_MORE: { [path: string]: PagePlan } = {
  "/docs/container-builds/how-to-guides/arm-containers": {
    tool: all(findCrane, findDocker),
    pageFiles: {
      "Dockerfile 1": [["gcr.io/distroless/static-debian12:nonroot", "distroless/static-debian12:nonroot"]],
    },
    files: { "go.mod": "module acme.example/server\n" },
    before: `mv "Dockerfile 1" Dockerfile && ${IN_SHOP} && ${PLUGIN} && crane auth login $REGISTRY -u x-token -p "$USER_TOKEN"`,
    steps: [
      {
        starts: "millrace build \\",
        // The machine has one architecture, without emulators.
        as: "millrace build --build-platform linux/amd64 --platform linux/amd64,linux/arm64 --tag {{host}}/acme/web:1.4 --push .",
      },
      {
        starts: "docker buildx imagetools inspect ghcr.io",
        as: "docker buildx imagetools inspect {{host}}/acme/web:1.4 | grep 'Platform: *linux'",
      },
      ...leftOut(ENGINE, "docker run"),
    ],
  },
  "/docs/container-builds/how-to-guides/autoscaling": {
    pageFiles: { "peak.sh": [] },
    files: {
      ...NODE_SHOP,
      ...service("services/api"),
      ...service("services/web"),
      ...service("services/worker"),
    },
    before: `${IN_SHOP} && sed -i 's#COPY services/[a-z]*/#COPY .#' services/*/Dockerfile && ${builds(1)}`,
    steps: [
      { starts: "millrace builds show", as: `millrace builds show ${LAST_BUILD}` },
      // It prints a line every five seconds until the builds have ended; they may be queued in the first line.
      { starts: "bash peak.sh", as: "bash peak.sh | grep -xE '[0-9]+'", prints: ["…"] },
      {
        starts: "millrace projects delete",
        as: `millrace projects delete --yes "$(millrace projects list --output json | jq -r '.[] | select(.name == "shop-web") | .id')"`,
      },
    ],
  },
  "/docs/container-builds/how-to-guides/continuous-integration": {
    files: NODE_SHOP,
    before: IN_SHOP,
    steps: [
      { starts: 'digest="$(jq', before: "millrace build --save --metadata-file build.json --quiet ." },
      { starts: "millrace builds list", before: builds(1), differs: COUNTS },
      { starts: "millrace tokens revoke", as: `millrace tokens revoke ${TOKEN("jenkins")}` },
    ],
  },
  "/docs/container-builds/how-to-guides/continuous-integration/migrate": {
    files: NODE_SHOP,
    before: IN_SHOP,
    steps: [{ starts: "millrace builds list", before: builds(2), differs: COUNTS }],
  },
  "/docs/container-builds/how-to-guides/continuous-integration/monorepo": {
    projects: { shop: "prj_e2w9nc6rmy" },
    pageFiles: { "docker-bake.hcl": [], "services/api/Dockerfile": [], "ci/publish.sh": [] },
    files: {
      ...NODE_SHOP,
      ...service("services/web"),
      ...service("services/worker"),
      "packages/database/index.js": "",
      "packages/logging/index.js": "",
      "services/api/server.js": "",
    },
    before: `${IN_SHOP} && ${COMMIT}`,
    steps: [
      {
        starts: "ci/publish.sh",
        as: "ci/publish.sh > ~/out.txt && ! grep deploy ~/out.txt",
      },
    ],
  },
  "/docs/container-builds/how-to-guides/devcontainers": {
    pageFiles: {
      ".devcontainer/Dockerfile": [
        ["mcr.microsoft.com/", ""],
        ["/usr/local/ /usr/local/", "/bin/node /usr/local/bin/node"],
      ],
    },
    before: IN_SHOP,
    steps: [
      {
        starts: "millrace build",
        as: "millrace build --file .devcontainer/Dockerfile --platform linux/amd64 --save-tag devcontainer .devcontainer",
      },
      ...leftOut(ENGINE, "docker pull"),
    ],
  },
  "/docs/container-builds/how-to-guides/private-registries": {
    tool: all(findCrane, findDocker),
    pageFiles: { Dockerfile: [["ghcr.io/", ""]] },
    before: `${IN_SHOP} && ${PLUGIN}`,
    steps: [
      {
        starts: 'echo "$GITHUB_TOKEN"',
        as: 'echo "$USER_TOKEN" | SSL_CERT_FILE=$CERTIFICATE docker login $TLS_REGISTRY --username x-token --password-stdin',
      },
      // Another registry must have a certificate that builders know.
      {
        starts: "millrace build --push --tag ghcr.io",
        as: "millrace build --push --tag {{host}}/acme/web:1.4 .",
      },
      {
        starts: "millrace build --push \\",
        as: "millrace build --push --tag {{host}}/acme/web:1.4 --tag {{host}}/acme/web:1 .",
      },
      {
        starts: "millrace push",
        as: `crane auth login $ELSEWHERE -u x-token -p "$USER_TOKEN" && millrace push ${LAST_BUILD} --tag $ELSEWHERE/acme/web:1.4`,
        differs: [["ghcr.io", "…"]],
      },
      { starts: "millrace build --pull", differs: [["ghcr.io", "docker.io"]] },
      {
        starts: "docker buildx imagetools",
        as: "docker buildx imagetools inspect {{host}}/acme/web:1.4 | head -n 2",
        differs: [["ghcr.io", "{{host}}"]],
      },
    ],
  },
  "/docs/container-builds/reference/aws-codebuild": {
    before: IN_SHOP,
    steps: leftOut("needs an account at AWS", "aws "),
  },
  "/docs/container-builds/reference/bitbucket-pipelines": {
    files: NODE_SHOP,
    before: IN_SHOP,
    steps: [{ starts: "millrace builds list", before: builds(2), differs: COUNTS }],
  },
  "/docs/container-builds/reference/buildkite": {
    files: NODE_SHOP,
    before: IN_SHOP,
    steps: [
      ...leftOut("needs a pipeline at Buildkite", "bk "),
      { starts: "millrace builds list", before: builds(1), differs: COUNTS },
    ],
  },
  "/docs/container-builds/reference/circleci": {
    projects: { shop: "prj_e2w9nc6rmy" },
    files: NODE_SHOP,
    before: `${LOG_IN} && millrace init --project prj_e2w9nc6rmy`,
    steps: [{ starts: "millrace build", before: `CIRCLE_SHA1=4be92d1f0c7a && ${builds(1)}` }],
  },
  "/docs/container-builds/reference/github-actions": {
    before: IN_SHOP,
  },
  "/docs/container-builds/reference/gitlab-ci": {
    before: `${IN_SHOP} && MILLRACE_TOKEN=$USER_TOKEN`,
  },
  "/docs/container-builds/reference/google-cloud-build": {
    files: NODE_SHOP,
    before: IN_SHOP,
    steps: [
      ...leftOut("needs an account at Google", "gcloud "),
      {
        starts: "millrace images list",
        before:
          "millrace build --quiet --save-tag main --save-tag 4be92d1f0c7a83e5d6b1290fa4c3e8d75b60a1f2 . > /dev/null",
        differs: [["61.7 MB", "…"]],
      },
    ],
  },
  "/docs/container-builds/reference/jenkins": {
    before: IN_SHOP,
  },
  "/docs/container-builds/reference/travis-ci": {
    before: IN_SHOP,
    steps: [...leftOut("needs a repository at Travis", "travis ")],
  },
};
