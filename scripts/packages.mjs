// Installs what a lock file names, with npm: downloads are checked against its checksums, and no package's script is run.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A problem that the user can fix; printed without a stack trace. */
export class UserError extends Error {}

/**
 * Brings the `node_modules` of a folder up to its `package-lock.json`; does nothing when they are up to date.
 * @param what is installed, for the line that says so: "packages".
 * @throws UserError when they cannot be installed, or are not what the lock file names.
 */
export function installPackages(folder, what) {
  const stamp = join(folder, "node_modules", ".millrace-lock");
  const lock = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  process.stdout.write(`  ${what.padEnd(10)} installing …\n`);
  const started = performance.now();
  const npm = spawnSync(
    process.platform === "win32" ? "npm.cmd" : "npm",
    [
      "ci",
      // Build tools are installed even if NODE_ENV is "production".
      "--include=dev",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      "--fetch-retries=1",
      "--fetch-retry-mintimeout=1000",
      "--loglevel=error",
    ],
    { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], shell: process.platform === "win32" },
  );
  const output = `${npm.stderr ?? ""}\n${npm.error ?? ""}`;
  if (npm.status !== 0) throw failure(folder, output);
  try {
    // Also proves that npm's files are there: on a full disk npm truncates files and reports success.
    writeFileSync(stamp, lock);
  } catch (error) {
    throw failure(folder, String(error));
  }
  process.stdout.write(
    `  ${what.padEnd(10)} installed in ${((performance.now() - started) / 1000).toFixed(1)} s\n`,
  );
}

/** Removes a half-finished installation, so that it is neither used nor in the way. */
function failure(folder, output) {
  const message = describeNpmFailure(folder, output);
  try {
    rmSync(join(folder, "node_modules"), { recursive: true, force: true });
  } catch {
    // The folder is not writable; the message says so.
  }
  return new UserError(message);
}

const AGAIN = "and run the command again.";

/** Output of npm or of the system → what is wrong, where, and what to do. The first match wins. */
const FAILURES = [
  [
    /spawnSync npm\S* ENOENT/,
    () => `Packages could not be installed because there is no npm on the PATH: install npm, ${AGAIN}`,
  ],
  [
    /ENOSPC/,
    ({ folder, path }) =>
      `Packages could not be installed because the disk of ${path ?? folder} is full: free some space, ${AGAIN}`,
  ],
  [
    /EINTEGRITY|integrity checksum failed/i,
    ({ folder }) =>
      `A package that was downloaded does not match ${join(folder, "package-lock.json")}: its checksum is different. None of its code was run. Find out whether the registry or proxy that npm uses changes packages, or run \`npm cache clean --force\` if npm's cache is damaged, ${AGAIN}`,
  ],
  [
    /CERT_NOT_YET_VALID|CERT_HAS_EXPIRED/,
    () =>
      `Packages could not be downloaded because the registry's certificate is not valid at ${new Date().toISOString()}, which is the time of this machine: set its clock, or renew that certificate, ${AGAIN}`,
  ],
  [
    // Below a read-only folder, `mkdir -p` reports a new folder as missing.
    /EROFS|EACCES|EPERM|ENOENT[^\n]*\bmkdir\b/,
    ({ folder, path }) =>
      `Packages could not be installed because ${path ?? folder} cannot be written: make it writable${isWithin(path, folder) ? "" : ", or set npm_config_cache to a folder that is"}, ${AGAIN}`,
  ],
  [
    /TAR_BAD_ARCHIVE|Z_BUF_ERROR|unexpected end of (?:file|data)|premature close|content-length|aborted/i,
    () =>
      `A package was downloaded only in part, and none of its code was run: check the network or the proxy that npm uses, ${AGAIN}`,
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i,
    () =>
      `Packages could not be downloaded because the npm registry cannot be reached: check the network or npm's registry and proxy settings, ${AGAIN}`,
  ],
];

const isWithin = (path, folder) => path === undefined || path.startsWith(folder);

function describeNpmFailure(folder, output) {
  const path = /^npm (?:error|ERR!) path (.+)$/m.exec(output)?.[1];
  const known = FAILURES.find(([pattern]) => pattern.test(output));
  if (known) return known[1]({ folder, path });
  const reason =
    output.split("\n").find((line) => /npm (error|ERR!)/.test(line)) ?? output.trim().split("\n")[0] ?? "";
  return `Packages could not be installed (${reason.replace(/^npm (error|ERR!)\s*/, "").trim()}): run \`npm ci\` in ${folder} to see all of npm's report.`;
}
