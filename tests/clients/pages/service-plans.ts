/** The pages about the service as a whole: its start page, its search, and how an operator watches it. */
import { root } from "#server/pages/build-folders.ts";
import { findBuildx, findDocker } from "../registry/tools.ts";
import { IN_WEB, LOAD, SHOP } from "./builds-shop.ts";
import { type Change, LOG_IN, type PagePlan } from "./page-plan.ts";
import { all } from "./registry-plans.ts";

const HERE: Change = ["https://millrace.example.com", "{{origin}}"];
/** An answer that refuses is a failure. */
const CURL = 'curl() { command curl --fail-with-body "$@"; }';
const DELETE_WEB = `millrace projects list --output json | jq -r '.[] | select(.name == "web") | .id' | xargs -n 1 millrace projects delete --yes`;

export const SERVICE_PLANS: { [path: string]: PagePlan } = {
  "/docs": {
    files: {
      "package.json": "{}",
      "package-lock.json": "{}",
      Dockerfile:
        "FROM node:24-alpine\nCOPY package.json package-lock.json ./\nRUN npm ci\nCOPY . .\nRUN npm run build\n",
    },
    steps: [{ starts: "millrace init", before: DELETE_WEB }],
  },
  "/docs/api/overview/search": {
    before: CURL,
    steps: [
      // Documents are added by a task.
      {
        starts: "curl -sS {{origin}}/search/indexes/shop/search",
        before:
          'until curl -sS "$ORIGIN/search/tasks?statuses=enqueued,processing" -H "Authorization: Bearer $SEARCH_ADMIN_KEY" | jq -e ".total == 0"; do sleep 0.2; done',
      },
    ],
    // The page's document is found by its vector.
    proof: `curl -sS {{origin}}/search/indexes/shop/search -H "Authorization: Bearer $SEARCH_ADMIN_KEY" -H "Content-Type: application/json" -d '{"vector": [0.9, 0.1, 0.2], "hybrid": {"embedder": "text", "semanticRatio": 1}}' | jq -e '.hits[0].id == 1'`,
  },
  "/docs/container-builds/how-to-guides/optimal-dockerfiles": {
    tool: all(findDocker, findBuildx),
    files: { ...SHOP, "~/.npmrc": "" },
    env: LOAD,
    before: `${IN_WEB} && millrace configure-docker`,
  },
  "/docs/security": {
    tool: all(findBuildx),
    files: { ...SHOP, "~/.npmrc": "" },
    before: IN_WEB,
  },
  "/docs/managed/overview/alerts": {
    before: `ln -s "${root}/deploy" deploy`,
    proof: "jq -e .panels millrace.json && ! grep DS_PROMETHEUS} millrace.json",
  },
  "/docs/managed/overview/monitoring": {
    before: `${CURL}; ${LOG_IN}`,
    steps: [
      { starts: "curl -sS https", names: [HERE] },
      { starts: "curl -sS -H", names: [HERE], differs: [["4", "…"]] },
    ],
  },
  "/docs/managed/overview/run": {
    steps: [{ starts: "curl", names: [["localhost:3000", "{{host}}"]] }],
  },
  "/docs/managed/overview/tls": {
    steps: [{ starts: "curl", names: [["127.0.0.1:3000", "{{host}}"]] }],
  },
};
