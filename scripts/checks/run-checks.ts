import { spawn } from "node:child_process";
import pLimit from "p-limit";
import { root } from "#server/pages/build-folders.ts";
import { UserError } from "#platform/environment/user-error.ts";

export interface CheckResult {
  passed: number;
  failed: number;
  /** Names of tests that failed alongside others but passed on their own; counted as passed. */
  unsteady?: string[];
  /** Names of tests that this machine could not run in full; not counted as passed. */
  notTried?: string[];
  /** Shown when a test failed, on the first try or the second. */
  report: string;
}

export interface Check {
  name: string;
  /** Keeps one core busy at most: two of these run at a time, before the others. */
  isLight?: boolean;
  /** Waits for packages, disks and its own servers half of the time: two of these run at a time, after the others. */
  isWaiting?: boolean;
  /** Left out unless named. */
  isSeparate?: boolean;
  /** The report is printed even on success: it lists how long steps took. */
  isTold?: boolean;
  run: () => Promise<CheckResult>;
}

/**
 * Runs the light checks two at a time, then the others in sequence, then those that wait two at a time; the last line counts
 * passed and failed.
 */
export async function runChecks(checks: Check[], wanted: string[]): Promise<void> {
  const unknown = wanted.filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length > 0)
    throw new UserError(
      `There is no check "${unknown[0]}": choose among ${checks.map((check) => check.name).join(", ")}.`,
    );
  const chosen = checks.filter(({ name, isSeparate }) =>
    wanted.length === 0 ? !isSeparate : wanted.includes(name),
  );
  const total = { passed: 0, failed: 0 };
  const perform = async (check: Check) => {
    const { passed, failed } = await runCheck(check);
    total.passed += passed;
    total.failed += failed;
  };
  const inPairs = (checks: Check[]) => pLimit(2).map(checks, perform);
  await inPairs(chosen.filter(({ isLight }) => isLight));
  for (const check of chosen.filter(({ isLight, isWaiting }) => !isLight && !isWaiting)) await perform(check);
  await inPairs(chosen.filter(({ isWaiting }) => isWaiting));
  if (total.failed > 0 || total.passed === 0) process.exitCode = 1;
  console.log(`${total.passed} passed, ${total.failed} failed`);
}

/** Prints the report of a failed check, or of one that always reports, and one line per check. */
async function runCheck({ name, run, isTold = false }: Check): Promise<CheckResult> {
  const started = performance.now();
  const result = await run().catch((error: unknown): CheckResult => ({
    passed: 0,
    failed: 1,
    report: String(error),
  }));
  const unsteady = result.unsteady ?? [];
  if (isTold || result.failed + unsteady.length > 0) console.log(`\n${result.report.trim()}\n`);
  for (const test of unsteady) console.log(`  UNSTEADY: failed beside the others, passed by itself: ${test}`);
  for (const attack of result.notTried ?? []) console.log(`  NOT TRIED in full on this machine: ${attack}`);
  const outcome = `${result.passed} passed${result.failed > 0 ? `, ${result.failed} FAILED` : ""}`;
  console.log(`  ${name.padEnd(12)} ${outcome}, ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

/** Runs a Node.js program of `node_modules` and returns its exit code and all output. */
export function runNode(
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => resolve({ code: code ?? 1, output }));
  });
}

/** A tool whose exit code says whether it found anything. */
export function toolCheck(name: string, commands: string[][]): Check {
  return {
    name,
    isLight: true,
    run: async () => {
      const results = await Promise.all(commands.map((args) => runNode(args)));
      const failed = results.filter((result) => result.code !== 0);
      return {
        passed: results.length - failed.length,
        failed: failed.length,
        report: failed.map((result) => result.output).join("\n"),
      };
    },
  };
}
