import { spawn } from "node:child_process";
import { root } from "#server/build-folders.ts";
import { UserError } from "../../src/server/user-error.ts";

export interface CheckResult {
  passed: number;
  failed: number;
  /** Shown when something failed. */
  report: string;
}

export interface Check {
  name: string;
  run: () => Promise<CheckResult>;
}

/** Runs checks one after the other; the last line says how many passed and failed. */
export async function runChecks(checks: Check[], wanted: string[]): Promise<void> {
  const unknown = wanted.filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length > 0)
    throw new UserError(
      `There is no check "${unknown[0]}": choose among ${checks.map((check) => check.name).join(", ")}.`,
    );
  const total = { passed: 0, failed: 0 };
  for (const check of checks) {
    if (wanted.length > 0 && !wanted.includes(check.name)) continue;
    const started = performance.now();
    const result = await check
      .run()
      .catch((error: unknown) => ({ passed: 0, failed: 1, report: String(error) }));
    total.passed += result.passed;
    total.failed += result.failed;
    if (result.failed > 0) console.log(`\n${result.report.trim()}\n`);
    const outcome = `${result.passed} passed${result.failed > 0 ? `, ${result.failed} FAILED` : ""}`;
    console.log(
      `  ${check.name.padEnd(12)} ${outcome}, ${((performance.now() - started) / 1000).toFixed(1)} s`,
    );
  }
  if (total.failed > 0 || total.passed === 0) process.exitCode = 1;
  console.log(`${total.passed} passed, ${total.failed} failed`);
}

/** Runs a Node.js program of `node_modules` and returns its exit code and everything that it printed. */
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
