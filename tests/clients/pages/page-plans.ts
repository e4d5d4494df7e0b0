/**
 * What the commands of a page need before they run, and which of them no test can run, with the reason. A page that is
 * not named here runs as it is.
 */

export interface PagePlan {
  /** Ids of projects beside `web`, by their names. */
  projects?: { [name: string]: string };
  /** Run before the first command, in the page's own home. */
  before?: string;
  /** By the beginning of a command: what differs from running it as it stands. */
  steps?: readonly StepPlan[];
}

export interface StepPlan {
  starts: string;
  /** Why it is not run. */
  isLeftOut?: string;
  /** Run just before it. */
  before?: string;
  /** Default 0. */
  exitCode?: number;
  /** Run in its place, where the command names what only its author has. */
  as?: string;
  /** In place of what the page shows, where that needs a person. */
  prints?: readonly string[];
}

/** As after `millrace login`. */
const LOG_IN = `mkdir -p -m 700 ~/.config/millrace && (umask 077 && printf '{"current":"%s","servers":{"%s":{"token":"%s","organization":"acme"}}}' "$ORIGIN" "$ORIGIN" "$USER_TOKEN" > ~/.config/millrace/credentials.json)`;
/** Instead of the registry's package, the one that this repository packs. */
const INSTALL = "npm install --global --prefix ~/.local --no-audit --no-fund $PACKAGE";
const DELETE_WEB = `millrace projects list --output json | jq -r '.[] | select(.name == "web") | .id' | xargs -n 1 millrace projects delete --yes`;

export const PLANS: { [path: string]: PagePlan } = {
  "/docs/api/authentication": {
    before: `export MILLRACE_TOKEN=$ORGANIZATION_TOKEN; ${LOG_IN}`,
    steps: [
      // An organization token may not make others.
      { starts: "millrace tokens create", before: "unset MILLRACE_TOKEN" },
      {
        starts: "millrace tokens revoke",
        as: `millrace tokens revoke "$(millrace tokens list --output json | jq -r '.[] | select(.name == "deploy-bot") | .id')"`,
      },
      {
        starts: "oidc_token=",
        isLeftOut: "needs a job at GitHub; src/accounts/trust exchanges an issuer's tokens",
      },
    ],
  },
  "/docs/api/authentication/ci-providers": {
    steps: [
      { starts: "circleci", isLeftOut: "needs a job at CircleCI" },
      { starts: "buildkite-agent", isLeftOut: "needs a job at Buildkite" },
      { starts: "gh ", isLeftOut: "needs a repository at GitHub" },
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
    before: "mkdir -p ~/.local/bin",
    steps: [
      { starts: "npm install -g", as: INSTALL },
      { starts: "pnpm", isLeftOut: "npm installs the same package" },
      { starts: "yarn", isLeftOut: "npm installs the same package" },
      { starts: "npx", before: LOG_IN, as: "npx -y --package $PACKAGE millrace whoami" },
      { starts: "fpath=", isLeftOut: "is read by zsh; the tests of completion run it" },
    ],
  },
  "/docs/cli/installation/proxies": {
    before: LOG_IN,
    steps: [
      { starts: "sudo ", isLeftOut: "changes whom the machine trusts" },
      {
        starts: "export HTTPS_PROXY",
        isLeftOut: "names a proxy of a company; the CLI's tests go through one",
      },
    ],
  },
  "/docs/cli/reference": {
    projects: { tools: "prj_e2w9nc6rmy" },
    steps: [
      { starts: "millrace whoami", before: LOG_IN },
      { starts: "millrace orgs show", before: "millrace orgs switch acme" },
      { starts: "millrace init", before: DELETE_WEB },
      { starts: "millrace projects create", before: DELETE_WEB },
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
      { starts: "millrace completion", before: "mkdir -p ~/.zfunc" },
    ],
  },
  "/docs/cli/reference/scripting": {
    before: "export MILLRACE_TOKEN=$USER_TOKEN",
    steps: [
      {
        starts: "MILLRACE_TOKEN=mr_org_wrong",
        before: `printf '#!/bin/sh\\nset -e\\nmillrace projects list\\n' > clean-images.sh && chmod +x clean-images.sh`,
      },
    ],
  },
};
