/**
 * The pages of the registry: crane, ORAS, cosign, kubectl and Docker's command line, as `tests/clients/registry`
 * installs them, with images of one small layer. Docker's configuration, which the CLI and these clients read, is
 * also real.
 */
import { dirname } from "node:path";
import { askProgram, cannotHave } from "../cache/install-tool.ts";
import { findBuildx, findCosign, findCrane, findDocker, findOras } from "../registry/tools.ts";
import { type Change, LOG_IN, type PagePlan } from "./page-plan.ts";

type Find = () => Promise<string | null>;

/** @returns the folders of programs that are not the machine's own */
export const all =
  (...finds: readonly Find[]): Find =>
  async () => {
    const found = await Promise.all(finds.map((find) => find()));
    return found.includes(null) ? null : found.map((program) => dirname(program ?? "")).join(":");
  };

/** Without a cluster, it prints the objects that a cluster would get. */
const findKubectl: Find = async () =>
  (await askProgram("kubectl", "version", "--client")) === null
    ? cannotHave("kubectl", "it is not installed")
    : "/usr/bin/kubectl";

export const ENGINE =
  "needs Docker's engine, which cannot be started where tests run; tests/clients/registry pulls and pushes with crane, skopeo and BuildKit";
const CLUSTER = "needs a cluster; what a node does with the secret is done with crane below";

const WEB = "prj_7q4hx2n9ds";
const IN_WEB = `millrace init --project ${WEB}`;
/** For clients that read Docker's configuration. `$ELSEWHERE` is a second server, with the same records. */
const CLIENTS_LOG_IN =
  'for host in $REGISTRY $ELSEWHERE; do crane auth login "$host" -u x-token -p "$USER_TOKEN"; done';
/** The pages' sizes belong to real images. */
const sizes = (...texts: string[]): readonly Change[] => texts.map((text) => [text, "…"]);
const GHCR: Change = ["ghcr.io", "…"];
/** Behind a proxy with a certificate: without its engine, Docker's command line speaks no plain HTTP. */
const DOCKER_LOGIN = {
  starts: 'echo "$MILLRACE_TOKEN" | docker login',
  before: "MILLRACE_TOKEN=$USER_TOKEN",
  as: 'echo "$MILLRACE_TOKEN" | SSL_CERT_FILE=$CERTIFICATE docker login $TLS_REGISTRY -u x-token --password-stdin',
};

const push = (image: string, name: string) => `crane push ~/images/${image} $REGISTRY/${name}`;
const SIGN =
  "cosign generate-key-pair && cosign sign --key cosign.key --tlog-upload=false --use-signing-config=false --allow-http-registry -y";

/** Used by the page with all commands. */
const SEED_REFERENCE = [
  CLIENTS_LOG_IN,
  push("two", "acme/web:bld_g6r2xk9w4t"),
  push("one", "acme/web:bld_u9t4hb6w1r"),
  "crane tag $REGISTRY/acme/web:bld_u9t4hb6w1r staging",
].join(" && ");
export const REFERENCE_STEPS: NonNullable<PagePlan["steps"]> = [
  { starts: "millrace images list", before: SEED_REFERENCE, differs: sizes("52.4 MB") },
  {
    starts: "millrace images delete",
    as: "millrace images delete staging --yes",
    prints: ["Deleted staging"],
  },
  {
    starts: "millrace push bld_g6r2xk9w4t",
    before: "crane tag $REGISTRY/acme/web:bld_u9t4hb6w1r staging",
    as: "millrace push bld_g6r2xk9w4t --tag $ELSEWHERE/acme/web:1.4",
    differs: [GHCR],
  },
  { starts: "millrace push --input", before: "millrace pull staging --output image.tar" },
  {
    starts: "millrace mirrors list",
    before:
      "echo secret > token.txt; for login in docker.io:acme quay.io:acme-robot; do millrace mirrors login ${login%:*} --username ${login#*:} --password-stdin < token.txt; done",
  },
  { starts: "millrace pull staging --output", differs: sizes("52.4 MB") },
];

export const REGISTRY_PLANS: { [path: string]: PagePlan } = {
  "/docs/registry/overview": {
    tool: all(findCrane, findDocker),
    before: [LOG_IN, IN_WEB, CLIENTS_LOG_IN].join(" && "),
    steps: [
      { starts: "millrace images delete", before: push("one", "acme/web:staging") },
      DOCKER_LOGIN,
      { starts: "millrace mirrors login", before: "echo secret > token.txt" },
      {
        starts: "millrace pull",
        before: `${push("one", "acme/web:1.4.0")} && ${push("two", "acme/web:1.4.1")}`,
        differs: sizes("104.9 MB"),
      },
      {
        starts: "millrace push --input",
        as: "MILLRACE_URL=http://$ELSEWHERE MILLRACE_TOKEN=$ORGANIZATION_TOKEN millrace push --input image.tar",
        differs: [["{{host}}", "…"]],
      },
    ],
  },
  "/docs/registry/overview/kubernetes": {
    tool: all(findCrane, findKubectl),
    before: LOG_IN,
    steps: [
      // No one types the previous command's output here.
      {
        starts: "read -rs PULL_TOKEN",
        as: `PULL_TOKEN="$(millrace tokens create --name cluster-eu --type project --project ${WEB} --read-only | head -n 1)"`,
      },
      {
        starts: "kubectl --namespace shop create secret",
        as: `kubectl --namespace shop create secret docker-registry millrace-pull \\
          --docker-server={{host}} --docker-username=x-token --docker-password="$PULL_TOKEN" --dry-run=client`,
        prints: ["secret/millrace-pull created (dry run)"],
      },
      { starts: "kubectl --namespace shop patch serviceaccount default", isLeftOut: CLUSTER },
      {
        starts: "kubectl --namespace shop run",
        // Stands in for the kubelet's use of the secret.
        before: `DOCKER_CONFIG=~/owner crane auth login $REGISTRY -u x-token -p "$USER_TOKEN" && DOCKER_CONFIG=~/owner ${push("one", "acme/web:1.4.0")}`,
        as: `mkdir ~/pull && kubectl create secret docker-registry millrace-pull --docker-server={{host}} \\
          --docker-username=x-token --docker-password="$PULL_TOKEN" --dry-run=client --output json |
          jq -r '.data[".dockerconfigjson"]' | base64 -d > ~/pull/config.json &&
          DOCKER_CONFIG=~/pull crane export {{host}}/acme/web:1.4.0 - | tar -xO hello.txt`,
        prints: ["one of /docs/registry/overview/kubernetes"],
      },
      { starts: "kubectl --namespace shop get pod", isLeftOut: CLUSTER },
      { starts: "kubectl --namespace shop delete", isLeftOut: CLUSTER },
      {
        starts: "millrace tokens revoke",
        as: `millrace tokens revoke "$(millrace tokens list --output json | jq -r '[.[] | select(.name == "cluster-eu") | .id][0]')"`,
      },
    ],
  },
  "/docs/registry/overview/promotion": {
    tool: all(findCrane, findOras, findCosign),
    projects: { "web-production": "prj_e2w9nc6rmy" },
    env: { COSIGN_PASSWORD: "" },
    before: [
      LOG_IN,
      IN_WEB,
      CLIENTS_LOG_IN,
      push("one", "acme/web:staging"),
      `jq -n --arg digest "$(crane digest $REGISTRY/acme/web:staging)" '{"containerimage.digest": $digest}' > build.json`,
      `${SIGN} "$REGISTRY/acme/web@$(jq -r '."containerimage.digest"' build.json)"`,
    ].join(" && "),
    steps: [
      { starts: 'millrace pull "$digest"', differs: sizes("52.4 MB") },
      {
        starts: "millrace push production --tag ghcr.io",
        as: "millrace push production --tag $ELSEWHERE/acme/web:1.4.0",
        differs: [GHCR],
      },
      {
        starts: "oras copy",
        as: "oras copy --recursive --from-plain-http --to-plain-http {{host}}/acme/web:production $ELSEWHERE/acme/web:1.4.0",
        differs: [GHCR],
      },
      {
        starts: "cosign verify",
        as: "cosign verify --key cosign.pub --insecure-ignore-tlog --allow-http-registry $ELSEWHERE/acme/web:1.4.0 | jq length",
      },
    ],
  },
  "/docs/registry/quickstart": {
    tool: all(findCrane, findDocker, findBuildx),
    before: LOG_IN,
    steps: [
      {
        starts: "millrace build",
        before:
          "mkdir image && cp millrace.json image && cd image && printf 'FROM nginx:1.29-alpine\\nRUN true\\n' > Dockerfile",
      },
      // Uses the login that Docker gets from the CLI.
      {
        starts: "millrace images list",
        before: push("one", "acme/hello:staging"),
        differs: sizes("52.4 MB"),
      },
      DOCKER_LOGIN,
      { starts: "docker stop", isLeftOut: ENGINE },
      {
        starts: "millrace projects delete",
        as: 'millrace projects delete "$(jq -r .project millrace.json)" --yes',
        prints: ["Deleted prj_e2w9nc6rmy"],
      },
    ],
  },
};
