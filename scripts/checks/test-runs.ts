import { globSync, readFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { cacheFolder, root } from "#server/pages/build-folders.ts";
import { runNode, type CheckResult } from "./run-checks.ts";
import { UNIT_TESTS } from "./unit-tests.ts";
import { type FailedTest, type TestRun, withSecondTry } from "./second-try.ts";

const bin = (path: string) => join("node_modules", path);

const UNIT_PROJECTS = ["stateful", "shared", "pure"].map((name) => `--project=${name}`);

/** The projects of vitest.config.ts; files that failed are run again by themselves. */
export function runVitest(projects: readonly string[]): Promise<CheckResult> {
  const chosen = projects.map((project) => `--project=${project}`);
  return withSecondTry(
    () => vitest(["run", ...chosen]),
    (failed) => vitest(["run", ...new Set(failed.map(({ file }) => file)), ...chosen]),
  );
}

/** The random searches, 20 times as long as in the other runs. */
export async function runSearches(): Promise<CheckResult> {
  const files = globSync(UNIT_TESTS, { cwd: root }).filter((file) =>
    /testing\/longer\.ts|FUZZ_FACTOR/.test(readFileSync(join(root, file), "utf8")),
  );
  return resultOf(await vitest(["run", ...files, ...UNIT_PROJECTS], { FUZZ_FACTOR: "20" }));
}

/** The unit tests that import one of these files, directly or through others. */
export async function runRelated(files: readonly string[]): Promise<CheckResult> {
  return resultOf(await vitest(["related", "--run", "--passWithNoTests", ...files, ...UNIT_PROJECTS]));
}

/** A run that ends without results has failed. */
const resultOf = ({ code, passed, failed, report }: TestRun): CheckResult => ({
  passed,
  failed: code === 0 ? failed.length : Math.max(failed.length, 1),
  report,
});

/** Files that leave cases to the long run: an upgrade on bare machines, a server on the remains of each landing, slow tools' faults. */
export const LEAVING_CASES = [
  "tests/installations/upgrade.test.ts",
  "tests/deploy/upgrade.test.ts",
  ...["pants", "maven", "gradle"].map((tool) => `tests/clients/cache/${tool}.test.ts`),
];

export async function runEveryCase(): Promise<CheckResult> {
  return resultOf(
    await vitest(["run", ...LEAVING_CASES, "--project=clients", "--project=installations"], {
      EVERY_CASE: "1",
    }),
  );
}

async function vitest(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<TestRun> {
  const results = join(cacheFolder, `vitest-${process.pid}.json`);
  const { code, output } = await runNode(
    [
      bin("vitest/vitest.mjs"),
      ...args,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${results}`,
    ],
    {
      // Each file's process loads the same packages.
      NODE_COMPILE_CACHE: join(cacheFolder, "compiled"),
      ...env,
    },
  );
  const json = await takeJson<VitestResults>(results);
  return { code, passed: json.numPassedTests ?? 0, failed: vitestFailures(json), report: output };
}

/** The projects of playwright.config.ts; tests that failed are run again by themselves. */
export function runPlaywright(projects: readonly string[]): Promise<CheckResult> {
  const chosen = projects.map((project) => `--project=${project}`);
  const results = join(cacheFolder, "browser.json");
  const run = async (...options: string[]): Promise<TestRun> => {
    const { code, output } = await runNode(
      [bin("@playwright/test/cli.js"), "test", ...chosen, ...options, "--reporter=line,json"],
      { PLAYWRIGHT_JSON_OUTPUT_NAME: results },
    );
    const json = await takeJson<PlaywrightResults>(results);
    const failed = (json.suites ?? []).flatMap(playwrightFailures);
    return { code, passed: json.stats?.expected ?? 0, failed, report: output };
  };
  return withSecondTry(
    () => run(),
    () => run("--last-failed"),
  );
}

/** What vitest's reporter "json" writes, as far as it is read here. */
interface VitestResults {
  numPassedTests?: number;
  testResults?: {
    name: string;
    status: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

/** What Playwright's reporter "json" writes, as far as it is read here. */
interface PlaywrightResults {
  stats?: { expected: number };
  suites?: PlaywrightSuite[];
}

interface PlaywrightSuite {
  file: string;
  specs: { title: string; ok: boolean; tests: { projectName: string }[] }[];
  suites?: PlaywrightSuite[];
}

function vitestFailures({ testResults = [] }: VitestResults): FailedTest[] {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((test) => test.status === "failed");
    // A file that cannot be loaded fails without a failed test.
    if (failed.length === 0 && status === "failed") return [{ file, name: "the file" }];
    return failed.map(({ fullName }) => ({ file, name: fullName }));
  });
}

function playwrightFailures({ file, specs, suites = [] }: PlaywrightSuite): FailedTest[] {
  const own = specs
    .filter(({ ok }) => !ok)
    .flatMap(({ title, tests }) =>
      tests.map(({ projectName }) => ({ file: `tests/e2e/${file}`, name: `[${projectName}] ${title}` })),
    );
  return [...own, ...suites.flatMap(playwrightFailures)];
}

async function takeJson<T extends object>(file: string): Promise<Partial<T>> {
  const text = await readFile(file, "utf8").catch(() => "{}");
  await rm(file, { force: true });
  return JSON.parse(text) as Partial<T>;
}
