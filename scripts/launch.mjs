// Runs on the machine's own Node.js (20.19 or newer): installs what is missing, then hands over to the project's Node.js 24.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { installPackages, UserError } from "./packages.mjs";
import { findNode, requireNode, root } from "./runtime.mjs";

/**
 * Runs `script` with Node.js 24, after installing what is missing: it, and packages when the lock file has changed.
 * `flags` are Node.js's own; variables of `env` that are set already stay as they are.
 */
export async function launch(script, { args = process.argv.slice(2), flags = [], env = {} } = {}) {
  try {
    requireNode();
    installPackages(root, "packages");
    await run([...flags, join(root, script), ...args], { ...env, ...process.env });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

/** How often to check that npm still runs; nothing tells a process that its parent was killed. */
const PARENT_CHECK_MS = 500;

/**
 * Runs the script until it ends. Signals go on to it; it ends too when this process is killed (its channel closes) or
 * when npm is. package.json starts this file with `exec`, so that no shell stands between npm and it: a shell is ended by
 * a signal and passes none on. Where there is no `exec` (Windows) the second half of the line runs.
 */
function run(args, env) {
  return new Promise((resolve) => {
    const child = spawn(findNode(), ["--disable-warning=ExperimentalWarning", ...args], {
      cwd: root,
      env,
      stdio: ["inherit", "inherit", "inherit", "ipc"],
    });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
    const parent = process.ppid;
    const watch = setInterval(() => {
      // When started by hand it continues after the terminal's shell has ended.
      if (process.env.npm_lifecycle_event === undefined || process.ppid === parent) return;
      clearInterval(watch);
      child.kill("SIGTERM");
    }, PARENT_CHECK_MS);
    child.on("exit", (code, signal) => {
      clearInterval(watch);
      process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
      resolve();
    });
  });
}
