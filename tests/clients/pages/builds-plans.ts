/**
 * The pages of container builds: the CLI with Docker's own buildx and command line, a real BuildKit behind a real
 * server, and the images of `stand-in-images.ts` in place of Docker Hub's.
 */
import { findBuildx, findCosign, findDocker } from "../registry/tools.ts";
import { BUILDS_API_PLANS } from "./builds-api-plans.ts";
import { COMMIT, IN_WEB, leftOut, LOAD, SHOP, START_AGENT } from "./builds-shop.ts";
import type { PagePlan } from "./page-plan.ts";
import { all, ENGINE } from "./registry-plans.ts";

const COMPOSE = "needs Docker's engine, which cannot be started where tests run";
/** The numbers of the pages belong to another image. */
const steps = (text: string) => [[text, "…"]] as const;

export const BUILDS_PLANS: { [path: string]: PagePlan } = {
  ...BUILDS_API_PLANS,
  "/docs/container-builds/quickstart": {
    tool: all(findDocker),
    pageFiles: { "requirements.txt": [], "app.py": [], Dockerfile: [] },
    env: LOAD,
    steps: [
      { starts: "mkdir hello", as: "mv ~/shop ~/hello && cd ~/hello" },
      {
        starts: "millrace init",
        // No one types the name here.
        as: "millrace init --name hello",
        prints: ["Created prj_7q4hx2n9ds in organization acme", "Wrote millrace.json"],
      },
      // Before the third build, as the page says.
      {
        starts: "millrace build -t hello --progress",
        before: 'builds=$((builds + 1)); [ $builds -lt 3 ] || echo "# Changed" >> app.py',
      },
      ...leftOut(ENGINE, "docker run", "curl", "docker stop", "millrace pull"),
    ],
  },
  "/docs/container-builds/how-to-guides/docker-bake": {
    projects: { api: "prj_a000000000", worker: "prj_b000000000" },
    pageFiles: {
      // The machine has one architecture.
      "docker-bake.hcl": [['["linux/amd64", "linux/arm64"]', '["linux/amd64"]']],
      "services/api/Dockerfile": [],
    },
    files: {
      "base/Dockerfile": "FROM golang:1.26\nCOPY go.mod go.sum ./\nRUN go mod download\n",
      "base/go.mod": "",
      "base/go.sum": "",
      "services/worker/Dockerfile": 'FROM base\nCOPY . .\nCMD ["./worker"]\n',
      "services/worker/worker": "",
      "services/api/server": "",
      "web/Dockerfile": "FROM node:24-alpine\nARG NODE_ENV\nRUN npm run build\n",
    },
    before: `${IN_WEB} && OWN=$REGISTRY && unset REGISTRY`,
    steps: [
      { starts: "TAG=1.4", as: "TAG=1.4 REGISTRY=$OWN/acme millrace bake --push" },
      // The order of two targets is random.
      { starts: "millrace bake --set", differs: [["api base", "…"]] },
    ],
  },
  "/docs/container-builds/how-to-guides/docker-build": {
    tool: all(findDocker, findBuildx),
    pageFiles: { "Dockerfile (excerpt)": [] },
    files: {
      "docker/Dockerfile": SHOP.Dockerfile,
      "package.json": "{}",
      "package-lock.json": "{}",
      "~/.npmrc": "",
      "~/shared/schemas/cart.json": "{}",
    },
    env: { ...LOAD, SENTRY_AUTH_TOKEN: "sentry" },
    before: [
      IN_WEB,
      COMMIT,
      START_AGENT,
      "{ printf 'FROM node:24-alpine\\nWORKDIR /app\\nCOPY package*.json ./\\n'; cat 'Dockerfile (excerpt)'; } > Dockerfile",
    ].join(" && "),
    steps: [
      {
        starts: " set -euo pipefail",
        as: 'millrace build --file docker/Dockerfile --build-arg VERSION="$(git rev-parse --short HEAD)" --secret id=npmrc,src="$HOME/.npmrc" --tag web --load .',
      },
      { starts: "docker build", before: "cp Dockerfile excerpt && cp docker/Dockerfile Dockerfile" },
      { starts: "millrace build \\\n    --secret", before: "cp excerpt Dockerfile" },
      {
        starts: "millrace build \\\n    --output",
        before: "printf 'FROM scratch\\nCOPY package.json /\\n' > Dockerfile",
        as: "millrace build --output type=registry,name={{host}}/acme/web:1.4 --output type=local,dest=out . && ls out",
      },
      {
        starts: "millrace build --lint",
        before: "printf 'FROM node:24-alpine\\nWORKDIR /app\\nCOPY . .\\nARG NPM_TOKEN\\n' > Dockerfile",
        exitCode: 1,
      },
      ...leftOut("is checked with the command before", "echo $?"),
      {
        starts: "millrace builds list",
        before: "millrace build .",
        prints: ["ID STATE CACHED STARTED TOOK", "bld_y2h7m4pz0s  succeeded  …"],
      },
      ...leftOut(ENGINE, "docker image inspect"),
    ],
  },
  "/docs/container-builds/how-to-guides/docker-build/attestations": {
    tool: all(findDocker, findBuildx, findCosign),
    files: SHOP,
    env: { COSIGN_PASSWORD: "" },
    before: `${IN_WEB} && millrace configure-docker && cosign generate-key-pair`,
    steps: [
      {
        starts: "cosign sign",
        as: 'cosign sign --yes --key cosign.key --tlog-upload=false --use-signing-config=false --allow-http-registry "{{host}}/acme/web@$digest"',
      },
      {
        starts: "cosign verify",
        as: 'cosign verify --key cosign.pub --insecure-ignore-tlog --allow-http-registry "{{host}}/acme/web@$digest" | jq length',
      },
    ],
  },
  "/docs/container-builds/how-to-guides/docker-build/secrets": {
    tool: all(findDocker),
    pageFiles: { "Dockerfile 1": [], Dockerfile: [] },
    files: {
      "package.json": "{}",
      "package-lock.json": "{}",
      ".npmrc": "//npm.pkg.github.com/:_authToken=${NPM_TOKEN}\n",
      known_hosts: "",
    },
    env: LOAD,
    before: `${IN_WEB} && ${START_AGENT}`,
    steps: [
      { starts: "export NPM_TOKEN", as: "export NPM_TOKEN=of-this-test-0123456789" },
      {
        starts: "millrace build --secret id=npm_token,env=NPM_TOKEN -t",
        before: "mv Dockerfile ssh.Dockerfile && cp 'Dockerfile 1' Dockerfile",
      },
      { starts: "ssh-add", differs: [["SHA256:k3vW1Zb0", "SHA256:…"]] },
      { starts: "millrace build --ssh", as: "millrace build --ssh default -f ssh.Dockerfile ." },
      // `grep` finds nothing.
      { starts: "millrace build --secret id=npm_token,env=NPM_TOKEN \\\n    --output", exitCode: 1 },
      ...leftOut(ENGINE, "millrace build --secret id=npm_token,env=NPM_TOKEN --load"),
    ],
  },
  "/docs/container-builds/how-to-guides/docker-compose": {
    tool: all(findDocker, findBuildx),
    projects: { shop: "prj_a000000000" },
    pageFiles: { "compose.yaml": [], "compose.ci.yaml": [] },
    files: {
      "web/Dockerfile": SHOP.Dockerfile,
      "web/package.json": "{}",
      "web/package-lock.json": "{}",
      "api/Dockerfile":
        "FROM node:24-alpine AS final\nARG LOG_LEVEL\nRUN --mount=type=secret,id=npm_token,env=NPM_TOKEN npm ls\n",
    },
    env: { ...LOAD, NPM_TOKEN: "of-this-test-0123456789" },
    before: `${IN_WEB} && ${COMMIT}`,
    steps: leftOut(COMPOSE, "docker compose"),
  },
  "/docs/container-builds/how-to-guides/local-development": {
    tool: all(findDocker, findBuildx),
    files: SHOP,
    env: LOAD,
    before: `${IN_WEB} && ${COMMIT}`,
    steps: [
      { starts: "git switch", as: "git switch --detach HEAD" },
      { starts: "millrace builds list", differs: steps("11/11").concat(steps("2/11")) },
      ...leftOut(ENGINE, "docker run"),
    ],
  },
};
