// Runs on the machine's own Node.js (20.19 or newer): installs what is missing, then hands over to the project's Node.js 24.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, "node_modules", ".millrace-lock");

/** Something the user can mend; printed as it is, without a stack. */
export class UserError extends Error {}

/** Runs `script` with Node.js 24, after installing packages when the lock file has changed. */
export async function launch(script, args = process.argv.slice(2)) {
  try {
    requireNode();
    installPackages();
    await run(script, args);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new UserError(
      `Node.js ${process.versions.node} is too old: install Node.js 20.19 or newer and run the command again.`,
    );
}

function installPackages() {
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  process.stdout.write("  packages   installing …\n");
  const started = performance.now();
  const npm = spawnSync(
    process.platform === "win32" ? "npm.cmd" : "npm",
    [
      "ci",
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      "--fetch-retries=1",
      "--fetch-retry-mintimeout=1000",
      "--loglevel=error",
    ],
    { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], shell: process.platform === "win32" },
  );
  if (npm.status !== 0) throw new UserError(describeNpmFailure(`${npm.stderr ?? ""}\n${npm.error ?? ""}`));
  writeFileSync(stamp, lock);
  process.stdout.write(`  packages   installed in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

function describeNpmFailure(output) {
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i.test(output))
    return "Packages could not be downloaded because the npm registry cannot be reached: check the network or npm's registry and proxy settings, and run the command again.";
  if (/EROFS|EACCES|EPERM/.test(output))
    return `Packages could not be installed because ${root} cannot be written: make it writable and run the command again.`;
  if (/ENOSPC/.test(output))
    return "Packages could not be installed because the disk is full: free some space and run the command again.";
  const reason =
    output.split("\n").find((line) => /npm (error|ERR!)/.test(line)) ?? output.trim().split("\n")[0] ?? "";
  return `Packages could not be installed (${reason.replace(/^npm (error|ERR!)\s*/, "").trim()}): run \`npm ci\` to see all of npm's report.`;
}

/** Node.js 24: this process's own when new enough, else the one of the package `node`. */
function findNode() {
  if (Number(process.versions.node.split(".")[0]) >= 24) return process.execPath;
  const name = process.platform === "win32" ? "node.exe" : "node";
  const packaged = join(root, "node_modules", "node", "bin", name);
  if (existsSync(packaged)) return packaged;
  throw new UserError(
    "Node.js 24 was not installed with the packages: run `npm ci --foreground-scripts` to see why, or install Node.js 24.",
  );
}

/** How often it is looked whether npm is still there; nothing tells a process that its parent was killed. */
const PARENT_CHECK_MS = 500;

/**
 * Runs the script until it ends. Signals go on to it; it ends too when this process is killed (its channel closes) or
 * when npm is. package.json starts this file with `exec`, so that no shell stands between npm and it: a shell is ended by
 * a signal and passes none on. Where there is no `exec` (Windows) the second half of the line runs.
 */
function run(script, args) {
  return new Promise((resolve) => {
    const child = spawn(findNode(), ["--disable-warning=ExperimentalWarning", join(root, script), ...args], {
      cwd: root,
      stdio: ["inherit", "inherit", "inherit", "ipc"],
    });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
    const parent = process.ppid;
    const watch = setInterval(() => {
      // Started by hand it goes on when the terminal's shell has ended.
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
