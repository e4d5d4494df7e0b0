/** The plans of all pages that need one. */
import { REFERENCE_BUILDS, REFERENCE_SHOP } from "./builds-api-plans.ts";
import { BUILDS_PLANS } from "./builds-plans.ts";
import { BUILDS_PLANS_MORE } from "./builds-plans-more.ts";
import { CACHE_PLANS } from "./cache-plans.ts";
import { findBuildx, findCrane } from "../registry/tools.ts";
import { OPERATOR_PLANS } from "./operator-plans.ts";
import { LOG_IN, type PagePlan } from "./page-plan.ts";
import { SERVICE_PLANS } from "./service-plans.ts";
import { all, REFERENCE_STEPS, REGISTRY_PLANS } from "./registry-plans.ts";

const ID_OF_WEB = `millrace projects list --output json | jq -r '.[] | select(.name == "web") | .id'`;
const DELETE_WEB = `${ID_OF_WEB} | xargs -n 1 millrace projects delete --yes`;

export const PLANS: { [path: string]: PagePlan } = {
  ...BUILDS_PLANS,
  ...BUILDS_PLANS_MORE,
  ...CACHE_PLANS,
  ...REGISTRY_PLANS,
  ...OPERATOR_PLANS,
  ...SERVICE_PLANS,
  "/docs/api/authentication": {
    before: `export MILLRACE_TOKEN=$ORGANIZATION_TOKEN; ${LOG_IN}`,
    steps: [
      // An organization token may not make others.
      { starts: "millrace tokens create", before: "unset MILLRACE_TOKEN" },
      {
        starts: "millrace tokens revoke",
        as: `millrace tokens revoke "$(millrace tokens list --output json | jq -r '.[] | select(.name == "deploy-bot") | .id')"`,
      },
    ],
  },
  "/docs/api/overview": { before: 'printf %s "$ORGANIZATION_TOKEN" > ~/millrace-token.txt' },
  "/docs/cli/authentication": {
    steps: [
      {
        starts: "millrace login --token -",
        before: 'printf %s "$ORGANIZATION_TOKEN" > ~/millrace-token',
        as: "millrace login --token - < ~/millrace-token",
      },
      { starts: "millrace tokens create", before: LOG_IN },
      {
        starts: "millrace whoami --output",
        before: "chmod 600 ~/.config/millrace/credentials.json",
      },
      { starts: "millrace whoami", before: "chmod 644 ~/.config/millrace/credentials.json", exitCode: 3 },
    ],
  },
  "/docs/cli/installation": {
    steps: [
      { starts: "pnpm", isLeftOut: "npm installs the same package" },
      { starts: "yarn", isLeftOut: "npm installs the same package" },
      { starts: "curl -fsSLO", before: "mkdir -p ~/web && cd ~/web && echo {} > package.json" },
      {
        starts: "npx --no millrace build",
        before: `${LOG_IN} && millrace init --project prj_7q4hx2n9ds && printf 'FROM node:24-alpine\\nRUN npm ls\\n' > Dockerfile`,
      },
      { starts: "npx", before: LOG_IN },
    ],
  },
  "/docs/cli/installation/proxies": {
    pageFiles: { Dockerfile: [] },
    files: { "package.json": "{}", "package-lock.json": "{}", "~/acme-ca.pem": "" },
    before: `${LOG_IN} && millrace init --project prj_7q4hx2n9ds`,
    steps: [
      {
        starts: "millrace build",
        as: "millrace build --secret id=ca,src=$HOME/acme-ca.pem --build-arg HTTPS_PROXY --build-arg NO_PROXY .",
      },
    ],
  },
  "/docs/cli/reference": {
    tool: all(findCrane, findBuildx),
    projects: { tools: "prj_e2w9nc6rmy" },
    files: REFERENCE_SHOP,
    steps: [
      ...REFERENCE_BUILDS,
      ...REFERENCE_STEPS,
      { starts: "millrace whoami", before: LOG_IN },
      { starts: "millrace orgs show", before: "millrace orgs switch acme" },
      { starts: "millrace init", before: DELETE_WEB },
      { starts: "millrace projects create", before: DELETE_WEB },
      {
        starts: "millrace projects get",
        before: `${ID_OF_WEB} | xargs -I{} millrace projects update {} --trust github:acme/web --immutable-tags 'v*'`,
      },
      {
        starts: "millrace projects update",
        before:
          'rm millrace.json && millrace init --project "$(millrace projects list --output json | jq -r \'.[] | select(.name == "web") | .id\')"',
      },
      {
        starts: "millrace projects delete",
        as: "millrace projects delete prj_e2w9nc6rmy --yes",
        prints: ["Deleted prj_e2w9nc6rmy"],
      },
      {
        starts: "millrace cache reset --platform",
        // The test lacks the layers and entries that make up the sizes.
        differs: [["7.9 GB", "…"]],
      },
      { starts: "millrace cache reset --tool", differs: [["1.3 GB", "…"]] },
      {
        starts: "millrace cache usage --project",
        as: "millrace cache usage --project $(jq -r .project millrace.json)",
        differs: [[/214 +7.9 GB/, "…"]],
      },
      { starts: "go build", isLeftOut: "the page about Go builds with it" },
      { starts: "millrace completion", before: "mkdir -p ~/.zfunc" },
    ],
  },
  "/docs/cli/reference/scripting": {
    tool: all(findCrane),
    before: [
      "export MILLRACE_TOKEN=$USER_TOKEN MILLRACE_PROJECT=prj_7q4hx2n9ds project=prj_7q4hx2n9ds",
      "git init -q --bare origin.git && git clone -q origin.git shop && cd shop",
      "git -c user.name=ada -c user.email=ada@acme.example commit -q --allow-empty -m Begin && git push -q origin HEAD:main HEAD:login",
      'crane auth login $REGISTRY -u x-token -p "$USER_TOKEN" && crane push ~/images/one $REGISTRY/acme/web:branch-login',
      "crane tag $REGISTRY/acme/web:branch-login branch-merged",
    ].join(" && "),
    steps: [
      // Checks what the previous script has left.
      { starts: "millrace projects list", before: '[ "$(crane ls $REGISTRY/acme/web)" = branch-login ]' },
      {
        starts: "MILLRACE_TOKEN=mr_org_wrong",
        before: `printf '#!/bin/sh\\nset -e\\nmillrace projects list\\n' > clean-images.sh && chmod +x clean-images.sh`,
      },
    ],
  },
};
