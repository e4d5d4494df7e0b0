// `node scripts/launch.mjs [--server] <script> [arguments]` runs a script of the project with the project's Node.js. It runs on
// the machine's own Node.js (20.19 or newer), and first installs missing parts: packages when the lock file has changed, then
// Node.js 24. `--server` adds flags that keep a server's memory small.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { resolve as resolvePath } from "node:path";
import { installPackages, UserError } from "./packages.mjs";
import { findNode, requireNode, root } from "./runtime.mjs";
import { SERVER_ENVIRONMENT, SERVER_FLAGS, WASM_FLAGS } from "./server-flags.mjs";

const [isServer, script, ...args] =
  process.argv[2] === "--server" ? [true, ...process.argv.slice(3)] : [false, ...process.argv.slice(2)];

/** How often to check that npm still runs; a process is not notified when its parent is killed. */
const NPM_CHECK_MS = 500;

/**
 * Runs the script until it ends. Signals are forwarded; the script also ends when this process is killed (its channel closes) or
 * when npm is. npm starts this process through a shell, which dies of a signal without forwarding it.
 */
function run() {
  const flags = ["--disable-warning=ExperimentalWarning", ...(isServer ? SERVER_FLAGS : WASM_FLAGS)];
  return new Promise((resolve) => {
    const child = spawn(findNode(), [...flags, resolvePath(root, script), ...args], {
      cwd: root,
      // Variables set by the operator take precedence.
      env: { ...(isServer ? SERVER_ENVIRONMENT : {}), ...process.env },
      stdio: ["inherit", "inherit", "inherit", "ipc"],
    });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
    const npmRuns = watchNpm();
    const watch = setInterval(() => {
      if (npmRuns()) return;
      clearInterval(watch);
      child.kill("SIGTERM");
    }, NPM_CHECK_MS);
    child.on("exit", (code, signal) => {
      clearInterval(watch);
      process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
      resolve();
    });
  });
}

/** @returns a function that says whether npm, and the shell through which npm started this process, still run */
function watchNpm() {
  // When started by hand, it keeps running after the terminal's shell has ended.
  if (process.env.npm_lifecycle_event === undefined) return () => true;
  const parent = process.ppid;
  const npm = findNpm(parent);
  return () => process.ppid === parent && (npm === null || existsSync(`/proc/${npm}`));
}

/** @returns npm's process id; null where the system has no /proc (macOS, Windows) */
function findNpm(pid, shells = 0) {
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    if (name?.startsWith("npm")) return pid;
    return parent === undefined || shells === 3 ? null : findNpm(Number(parent), shells + 1);
  } catch {
    return null;
  }
}

try {
  if (!script)
    throw new UserError("Name the script to run, for example: npm run node scripts/update-anchors.ts");
  requireNode();
  installPackages(root, "packages");
  await run();
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
