/** Shared by the plans of pages about container builds. */
import { LOG_IN, type StepPlan } from "./page-plan.ts";

/** For `--load`: the images are sent to a stand-in for Docker's engine. */
export const LOAD = { DOCKER_HOST: "$ENGINE" };
export const leftOut = (isLeftOut: string, ...starts: readonly string[]): StepPlan[] =>
  starts.map((each) => ({ starts: each, isLeftOut }));

export const WEB = "prj_7q4hx2n9ds";
export const IN_WEB = `${LOG_IN} && millrace init --project ${WEB}`;
export const COMMIT =
  "git init -q -b main && git add . && git -c user.name=ada -c user.email=ada@acme.example commit -q -m Begin";
/** With one key, until the page's shell ends. */
export const START_AGENT =
  'eval "$(ssh-agent)" && trap "ssh-agent -k" EXIT && ssh-keygen -q -t ed25519 -N "" -C ada@laptop -f ~/key && ssh-add -q ~/key';
/** A small shop in Node.js. */
export const SHOP = {
  Dockerfile: `# syntax=docker/dockerfile:1
FROM node:24-alpine AS build
WORKDIR /app
COPY package*.json ./
RUN npm ci
COPY . .
`,
  "package.json": "{}",
  "package-lock.json": "{}",
  ".dockerignore": "millrace.json\n.git\n",
};
export const LAST = "$(millrace builds list --limit 1 --output json | jq -r '.[0].id')";
