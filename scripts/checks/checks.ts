import { globSync } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkApi } from "./api-check.ts";
import { checkBoundaries } from "./boundaries.ts";
import { checkContent } from "./content-check.ts";
import { cacheFolder, root } from "#server/pages/build-folders.ts";
import { checkNamedPaths } from "./named-paths.ts";
import { checkPlainEnglish } from "./plain-english.ts";
import { checkExpressions } from "./regex-check.ts";
import { runNode, toolCheck, type Check, type CheckResult } from "./run-checks.ts";
import { runEveryCase, runPlaywright, runSearches, runVitest } from "./test-runs.ts";

const bin = (path: string) => join("node_modules", path);
const knip = (...options: string[]) => [
  bin("knip/bin/knip.js"),
  ...options,
  "--no-progress",
  "--no-config-hints",
  "--config",
  "scripts/checks/knip.config.ts",
];

// Files that were already found formatted are skipped until they change.
const prettier = () => [
  bin("prettier/bin/prettier.cjs"),
  "--check",
  ".",
  "--log-level",
  "warn",
  "--cache",
  "--cache-strategy",
  "content",
  "--cache-location",
  join(cacheFolder, "formatted"),
];
/** Checks only files changed since the last run, and their dependents. */
const compiler = (project: string) => [
  bin("typescript/bin/tsc"),
  "--noEmit",
  "--incremental",
  "--tsBuildInfoFile",
  join(cacheFolder, "types", `${project === "." ? "all" : project.replaceAll("/", "-")}.tsbuildinfo`),
  "-p",
  project,
];

/** 200 kills of each kind, the fuzz for ten minutes, the worst requests for an hour, and a million requests at last. */
const LONG_ATTACK = ["--long", "--fuzz", "600", "--worst", "3600", "--soak", "1000000"];

/** Everything that `npm test` runs, in order: quick checks first. */
export const checks: Check[] = [
  {
    ...toolCheck("format", [prettier()]),
    isLight: true,
  },
  toolCheck("lint", [[bin("oxlint/bin/oxlint"), "--deny-warnings"]]),
  { name: "types", isLight: true, run: checkTypes },
  { name: "boundaries", isLight: true, run: checkBoundaries },
  toolCheck("dead code", [knip(), knip("--production", "--exports")]),
  { name: "named paths", isLight: true, run: checkNamedPaths },
  { name: "plain english", isLight: true, run: checkPlainEnglish },
  { name: "regular expressions", isLight: true, run: checkExpressions },
  { name: "content", isLight: true, run: checkContent },
  { name: "api", isLight: true, run: checkApi },
  { name: "unit", run: () => runVitest(["stateful", "shared", "pure"]) },
  { name: "browser", run: () => runPlaywright(["desktop", "desktop, whole browser"]) },
  // `npm run test:clients`: phones, real proxies, a served image, a backup of a busy server, and attacks on it.
  {
    name: "browser, second run",
    isSeparate: true,
    run: () => runPlaywright(["desktop, late", "phone", "phone, whole browser"]),
  },
  { name: "clients", isSeparate: true, run: () => runVitest(["clients", "postgres"]) },
  {
    name: "installations",
    isSeparate: true,
    isWaiting: true,
    isTold: true,
    run: () => runVitest(["installations"]),
  },
  { name: "attack", isSeparate: true, isWaiting: true, run: () => runAttacks(["--short"]) },
  // `npm run test:long`, by hand and each week: what the runs above do a few times, hundreds of times.
  { name: "random searches", isSeparate: true, run: runSearches },
  { name: "every case", isSeparate: true, run: runEveryCase },
  { name: "long attack", isSeparate: true, isTold: true, run: () => runAttacks(LONG_ATTACK) },
];

/** The whole project, and each folder that has a `tsconfig.json` to see fewer types than the rest. */
async function checkTypes(): Promise<CheckResult> {
  const routes = await runNode([bin("@react-router/dev/bin.cjs"), "typegen"]);
  if (routes.code !== 0) return { passed: 0, failed: 1, report: routes.output };
  const projects = [".", ...globSync("src/**/tsconfig.json", { cwd: root }).map(dirname)];
  return toolCheck("types", projects.map(compiler)).run();
}

/** What `npm run test:attack` runs with these options. */
async function runAttacks(options: readonly string[]): Promise<CheckResult> {
  const file = join(cacheFolder, `attack-${process.pid}.json`);
  await mkdir(cacheFolder, { recursive: true });
  const { code, output } = await runNode(["tests/attack/main.ts", ...options, "--results", file]);
  const json = JSON.parse(await readFile(file, "utf8").catch(() => "{}")) as {
    passed?: number;
    failed?: number;
    notTried?: string[];
  };
  await rm(file, { force: true });
  // A run that ends without writing results has failed.
  const failed = json.failed ?? 1;
  return {
    passed: json.passed ?? 0,
    failed: code === 0 ? failed : Math.max(failed, 1),
    notTried: json.notTried ?? [],
    report: output,
  };
}
