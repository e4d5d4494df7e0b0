import { spawn } from "node:child_process";
import { root } from "#server/pages/build-folders.ts";

/** Runs a program in the project's folder while the test's own server runs. */
export function run(
  program: string,
  args: string[],
): Promise<{ status: number; stdout: string; stderr: string }> {
  const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], timeout: 20_000 });
  const printed = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (printed.stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (printed.stderr += String(chunk)));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => resolve({ status: status ?? -1, ...printed }));
  });
}
