/** The pages of the cache: each tool builds a small shop, in the version that `tools.ts` installs. */
import { homedir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../attack/server-process.ts";
import { askProgram, cannotHave } from "../cache/install-tool.ts";
import {
  findBazel,
  findGo,
  findGradle,
  findMaven,
  findMoon,
  findPants,
  findSccache,
  findTurbo,
  MAVEN_REPOSITORY,
  testedVersion,
} from "../cache/tools.ts";
import { BAZEL_SHOP, CARGO_SHOP, GO_SHOP, GRADLE_SHOP } from "./cache-shops.ts";
import { MAVEN_SHOP, MOON_SHOP, PANTS_SHOP, TURBO_SHOP } from "./cache-shops.ts";
import { type Change, LOG_IN, type PagePlan } from "./page-plan.ts";

const HAS_TOKEN = "export MILLRACE_TOKEN=$ORGANIZATION_TOKEN";
const COMMIT =
  "git init -q -b main && git add . && git -c user.name=ada -c user.email=ada@acme.example commit -q -m Begin";
/** This test's server speaks no TLS. */
const WITHOUT_TLS: Change = ["grpcs://", "grpc://"];
const TOKENS = "millrace tokens list --output json";

/** @param find a program of the machine's own */
const ofMachine = (find: () => Promise<string | null>) => async () => ((await find()) === null ? null : "");

/** The page has a tab for each of these. */
async function findCompilers(): Promise<string | null> {
  for (const program of ["cargo", "cmake", "ninja", "make"])
    if ((await askProgram(program, "--version")) === null) return cannotHave(program, "it is not installed");
  return findSccache();
}

/** The format of a task in all versions since 5. */
const TASK: Change = [/^> Task /, ""];

export const CACHE_PLANS: { [path: string]: PagePlan } = {
  "/docs/cache/overview": { before: HAS_TOKEN },
  "/docs/cache/overview/troubleshooting": { before: HAS_TOKEN },
  "/docs/cache/overview/hit-rate": {
    tool: findTurbo,
    files: TURBO_SHOP,
    before: `${HAS_TOKEN} TURBO_API=$ORIGIN/cache/turbo TURBO_TEAM=acme TURBO_TOKEN=$ORGANIZATION_TOKEN; ${COMMIT}`,
    steps: [
      {
        starts: "diff ",
        exitCode: 1,
        before: "echo 'export {}' > apps/docs/src/version.ts && npx turbo run build --dry=json > ci.json",
      },
      { starts: "npx turbo run build --summarize", before: "npx turbo run build --force" },
    ],
  },
  "/docs/cache/authentication": {
    before: LOG_IN,
    steps: [
      { starts: "export MILLRACE_TOKEN", as: "export MILLRACE_TOKEN=$ORGANIZATION_TOKEN" },
      {
        starts: "millrace tokens list",
        before: "unset MILLRACE_TOKEN",
        // They are new.
        differs: [[/2026-11-2[01]/, "never"]],
      },
      {
        starts: "millrace tokens revoke",
        as: `millrace tokens revoke "$(${TOKENS} | jq -r '.[] | select(.name == "laptop-cache") | .id')"`,
      },
    ],
  },
  "/docs/cache/reference/bazel": {
    tool: ofMachine(findBazel),
    pageFiles: { ".bazelrc": [] },
    files: BAZEL_SHOP,
    before: HAS_TOKEN,
    after: "bazel shutdown",
    steps: [
      {
        starts: "bazel build --config=ci",
        differs: [
          [/\(.* configured\)/, "(…)"],
          ["linux-sandbox", "…-sandbox"],
        ],
      },
      {
        starts: "diff ",
        before:
          'cp ~/here.json ~/there.json; sed -i "s#/bin:/usr/bin:/usr/local/bin#$HOME/.cargo/bin:/usr/bin:/bin#" ~/here.json',
      },
    ],
  },
  "/docs/cache/reference/gocache": {
    tool: ofMachine(findGo),
    files: GO_SHOP,
    // Not the C compiler of the machine.
    env: { CGO_ENABLED: "0", GOTOOLCHAIN: "local" },
    steps: [
      {
        starts: "export MILLRACE_URL",
        as: 'export MILLRACE_URL={{origin}} MILLRACE_TOKEN=$ORGANIZATION_TOKEN GOCACHEPROG="millrace gocache"',
      },
      { starts: "go build", differs: [[/\d{3,}|\d+(?= puts)/, "…"]] },
      { starts: "go test", before: "go test ./..." },
    ],
  },
  "/docs/cache/reference/gradle": {
    tool: ofMachine(findGradle),
    // Added in version 6.
    pageFiles: { "settings.gradle": [[/^ *allowInsecureProtocol.*\n/, ""]], "gradle.properties": [] },
    files: GRADLE_SHOP,
    before: `${HAS_TOKEN} GRADLE_USER_HOME=$HOME/.gradle`,
    after: "./gradlew --stop",
    steps: [
      // Java prints a warning in the middle of the line.
      { starts: "CI=1", differs: [TASK, [/^:test$/, ":test…"]] },
      { starts: "./gradlew clean build", differs: [TASK] },
      {
        starts: "./gradlew compileJava",
        before: "echo '// changed' >> src/main/java/Basket.java",
        // Printed since version 5.
        differs: [[/^Stored cache entry.*/, ""]],
      },
    ],
  },
  "/docs/cache/reference/maven": {
    tool: findMaven,
    pageFiles: {
      ".mvn/extensions.xml": [],
      ".mvn/maven-build-cache-config.xml": [],
      "~/.m2/settings.xml": [],
    },
    files: MAVEN_SHOP,
    // Java asks the system for the home folder, and ignores the environment.
    env: { MAVEN_ARGS: `-B -ntp -Dmaven.repo.local=${MAVEN_REPOSITORY}` },
    before: `${HAS_TOKEN} MAVEN_OPTS=-Duser.home=$HOME; export MAVEN_ARGS="$MAVEN_ARGS -Dmaven.build.cache.location=$HOME/.m2/build-cache"; ${COMMIT}`,
  },
  "/docs/cache/reference/moonrepo": {
    tool: findMoon,
    pageFiles: { ".moon/workspace.yml": [WITHOUT_TLS] },
    files: MOON_SHOP,
    before: `${HAS_TOKEN}; ${COMMIT}`,
    steps: [
      {
        starts: "moon hash",
        before:
          "moon run :build > ~/before.txt; echo '// changed' >> apps/web/src/main.ts; moon run :build > ~/after.txt",
        as: `of() { sed -n 's/.*web:build (.*\\b\\([0-9a-f]\\{8\\}\\))$/\\1/p' "$1" | tail -1; }; moon hash "$(of ~/before.txt)" "$(of ~/after.txt)"`,
      },
    ],
  },
  "/docs/cache/reference/pants": {
    tool: findPants,
    pageFiles: {
      "pants.toml": [
        WITHOUT_TLS,
        [/^pants_version = .*/, `pants_version = "${testedVersion("pants")}"`],
        // Dependencies of tests in Python are not in a package registry.
        ['"pants.backend.python"', '"pants.backend.shell"'],
        [/^ *"pants\.backend\.python\.lint.*\n/, ""],
        [/^\[python\]\n.*\n/, ""],
      ],
      "pants.ci.toml": [],
    },
    files: PANTS_SHOP,
    before: `${HAS_TOKEN} PANTS_PANTSD=false`,
  },
  "/docs/cache/reference/sccache": {
    tool: findCompilers,
    files: CARGO_SHOP,
    env: {
      RUSTUP_HOME: process.env["RUSTUP_HOME"] ?? join(homedir(), ".rustup"),
      SCCACHE_SERVER_PORT: String(await freePort()),
    },
    before: HAS_TOKEN,
    after: "sccache --stop-server",
    steps: [
      { starts: "sccache --stop-server", before: "sccache --start-server" },
      { starts: "sccache --start-server", differs: [["4226", "…"]] },
      { starts: "sccache --show-stats |" },
      // Its end means that everything is uploaded.
      { starts: "cargo clean", before: "sccache --stop-server" },
      {
        starts: "sccache --show-stats",
        // The number of times Cargo asks the compiler about itself.
        differs: [[/^(Compile requests|Non-cacheable calls) +\d+$/, "$1 …"]],
      },
    ],
  },
  "/docs/cache/reference/turbo": {
    tool: findTurbo,
    pageFiles: { "turbo.json": [] },
    files: TURBO_SHOP,
    before: COMMIT,
    steps: [
      {
        starts: "export TURBO_API",
        as: "export TURBO_API={{origin}}/cache/turbo TURBO_TEAM=acme TURBO_TOKEN=$ORGANIZATION_TOKEN",
      },
    ],
  },
};
