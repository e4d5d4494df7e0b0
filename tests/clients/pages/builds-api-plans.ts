/** The pages about builds that failed or were slow, and those about builds from programs. */
import { join } from "node:path";
import { findBuildKit, findCrane, findDocker } from "../registry/tools.ts";
import { BUILDS_TROUBLES } from "./builds-troubles.ts";
import { COMMIT, IN_WEB, LAST, leftOut, SHOP, WEB } from "./builds-shop.ts";
import { LOG_IN, type PagePlan, type StepPlan } from "./page-plan.ts";
import { all, ENGINE } from "./registry-plans.ts";

const findBuildctl = async () => {
  const folder = await findBuildKit();
  return folder && join(folder, "buildctl");
};

/** Used by the page with all commands. */
export const REFERENCE_SHOP = {
  Dockerfile:
    "FROM node:24-alpine\nWORKDIR /app\nCOPY package.json package-lock.json ./\nRUN npm ci\nCOPY . .\n",
  "docker-bake.hcl": 'target "api" {}\ntarget "web" {}\n',
  "package.json": "{}",
  "package-lock.json": "{}",
  "slow.Dockerfile": "FROM node:24-alpine\nRUN sleep 600\n",
  "failing.Dockerfile": "FROM node:24-alpine\nRUN false\n",
};
const BEGIN_SLOW = `millrace build -f slow.Dockerfile . > slow.log 2>&1 &
  until [ "$(millrace builds list --limit 1 --output json | jq -r '.[0].state')" = running ]; do sleep 0.2; done`;
export const REFERENCE_BUILDS: readonly StepPlan[] = [
  {
    starts: "millrace builds list --state failed",
    before: `${LOG_IN}; export MILLRACE_PROJECT=${WEB}; ! millrace build -f failing.Dockerfile .`,
  },
  { starts: "millrace login", before: "unset MILLRACE_PROJECT" },
  { starts: "millrace builds list --limit", before: "millrace build .", differs: [["0/5", "…"]] },
  {
    starts: "millrace builds show",
    names: [["bld_y3n8qd5v7s", `"${LAST}"`]],
    differs: [
      ["Took       3s", "Took …"],
      ["36s", "…"],
      ["35s", "…"],
      ["0.1s ", "…"],
      ["0.4s ", "…"],
    ],
  },
  { starts: "millrace builds logs", names: [["bld_y3n8qd5v7s", `"${LAST}"`]] },
  { starts: "millrace builds cancel", before: BEGIN_SLOW, names: [["bld_f2z7mc4k9p", `"${LAST}"`]] },
];

export const BUILDS_API_PLANS: { [path: string]: PagePlan } = {
  "/docs/container-builds/troubleshooting": {
    tool: all(findCrane),
    files: {
      Dockerfile:
        "FROM node:24-alpine AS build\nWORKDIR /app\nCOPY . .\nRUN npm run build\nRUN npm ci\nFROM scratch\nCOPY --from=build /app /\n",
      "package.json": "{}",
      "build.sh":
        "echo \"src/cart.ts(14,3): error TS2322: Type 'string' is not assignable to type 'number'.\"; exit 2\n",
    },
    before: IN_WEB,
    troubles: BUILDS_TROUBLES,
    steps: [
      {
        starts: "millrace builds logs",
        before: `! millrace build . && BUILD="${LAST}" && STEP="$(millrace builds logs "$BUILD" | grep -F '[build 4/5]' | cut -d ' ' -f 1)"`,
        names: [
          ["bld_j4v9d2sx6k", '"$BUILD"'],
          // Some earlier numbers depend on the order in which steps begin.
          ["'^#11 '", '"^$STEP "'],
        ],
      },
    ],
  },
  "/docs/container-builds/troubleshooting/cache-misses": {
    files: SHOP,
    before: [
      IN_WEB,
      COMMIT,
      "millrace build .",
      'echo \'{"name": "shop"}\' > package.json',
      COMMIT.replace("git init -q -b main && ", ""),
      "millrace build .",
      "export MILLRACE_TOKEN=$USER_TOKEN",
    ].join(" && "),
    steps: [
      {
        starts: "millrace builds show",
        names: [["bld_t5r8wq1nzc", `"${LAST}"`]],
        // One changed file costs as much here as a shop's whole build costs there.
        differs: [[/ +(?:14.2s|0.[14]s) +- /, " … "]],
      },
      {
        starts: "curl",
        as: `id="${LAST}"; step="$(millrace builds show "$id" --output json | jq -r '[.steps[] | select(.name | contains("COPY package"))][0].id')"
          curl -sS {{origin}}/api/millrace.v1.BuildService/ExplainStep -H "Authorization: Bearer $MILLRACE_TOKEN" -H "Content-Type: application/json" -d "{\\"build_id\\": \\"$id\\", \\"step_id\\": \\"$step\\"}"`,
      },
      {
        starts: "millrace build --no-cache",
        before: "mkdir coverage && touch -d +1minute coverage/lcov.info",
      },
    ],
  },
  "/docs/container-builds/troubleshooting/slow-builds": {
    files: SHOP,
    before: `${IN_WEB} && millrace build .`,
    steps: [
      {
        starts: "millrace builds show",
        names: [["bld_h3n7vd0k2m", LAST]],
        differs: [[/^[\d.]+s (?:\[build 6|exporting|\[internal).*/, "…s …"]],
      },
      {
        starts: "for build",
        names: [["bld_h3n7vd0k2m bld_p6c1zt4x8s", `"${LAST}" "${LAST}"`]],
        differs: [[/\d+$/, "…"]],
      },
    ],
  },
  "/docs/api/api-container-builds-tutorial": {
    tool: all(findBuildctl, findDocker),
    pageFiles: { "build.mjs": [], "logs.mjs": [] },
    files: {
      Dockerfile:
        "FROM python:3.13-slim\nWORKDIR /app\nCOPY requirements.txt ./\nRUN pip install --no-cache-dir -r requirements.txt\nCOPY app.py ./\n",
      "requirements.txt": "flask==3.1.2\n",
      "app.py": "",
    },
    before: LOG_IN,
    steps: [
      { starts: "buildctl", differs: [["v0.33.0", "…"]] },
      {
        starts: "millrace tokens create",
        before: `${LOG_IN} && export PROJECT="$(millrace projects list --output json | jq -r '.[] | select(.name == "hello") | .id')"`,
        as: 'millrace tokens create --name api-tutorial --type project --project "$PROJECT" --expires 1d > ~/made && cat ~/made',
        differs: [["2026-11-22", "…"]],
      },
      { starts: "export MILLRACE_URL", names: [["prj_h6k3v9wm2s", "$PROJECT"]] },
      { starts: "read", as: 'export MILLRACE_TOKEN="$(head -n 1 ~/made)"' },
      {
        starts: "echo",
        as: 'mkdir -p ~/.docker && printf \'{"auths":{"%s":{"auth":"%s"}}}\' "$REGISTRY" "$(printf x-token:%s "$MILLRACE_TOKEN" | base64 -w 0)" > ~/.docker/config.json',
        prints: [],
      },
      { starts: "node build.mjs", as: "node build.mjs . | tee ~/built" },
      { starts: "curl", names: [["bld_w2k6rd9ynv", `'"$(tail -n 1 ~/built | cut -d ' ' -f 1)"'`]] },
      {
        starts: "node logs.mjs",
        before: "node build.mjs . > ~/built",
        names: [["bld_w2k6rd9ynv", `"$(tail -n 1 ~/built | cut -d ' ' -f 1)"`]],
      },
      {
        starts: "millrace tokens revoke",
        as: 'millrace tokens revoke "$(tail -n 1 ~/made | cut -d " " -f 1)"',
      },
      { starts: "millrace projects delete", names: [["prj_h6k3v9wm2s", '"$PROJECT" --yes']] },
      ...leftOut(ENGINE, "docker run"),
    ],
  },
  "/docs/api/overview/recipes": {
    pageFiles: { "api.sh": [["mr_org_…", "$ORGANIZATION_TOKEN"]], "pages.py": [], "follow.go": [] },
    files: SHOP,
    // Its programs, where their languages are.
    proof: `if command -v python3; then python3 pages.py | grep "^prj_7q4hx2n9ds web$"; fi &&
      if command -v go; then mkdir follow && sed "s/bld_g6r2xk9w4t/$BUILD/" follow.go > follow/main.go && go run follow/main.go | grep step; fi`,
    before: `${IN_WEB} && millrace build --save . && BUILD="${LAST}" && DIGEST="$(millrace images list --limit 1 --output json | jq -r '.[0].digest')"`,
    steps: [
      { starts: "export MILLRACE_URL", as: "source api.sh" },
      { starts: "api ProjectService/Create", names: [['"web"', '"shop"']] },
      { starts: "until", names: [["bld_g6r2xk9w4t", `'"$BUILD"'`]] },
      { starts: "api ImageService/Tag", names: [["sha256:b41c7e90d3a5…", `'"$DIGEST"'`]] },
    ],
  },
};
