// Installs what a lock file names, with npm: what is downloaded is checked against the checksums that stand there, and no
// package's script is run.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A problem that the user can fix; printed without a stack trace. */
export class UserError extends Error {}

/**
 * Brings the `node_modules` of a folder up to its `package-lock.json`; does nothing when they are.
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
      // What builds the site is there, too, where NODE_ENV is "production".
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
  if (npm.status !== 0)
    throw new UserError(describeNpmFailure(folder, `${npm.stderr ?? ""}\n${npm.error ?? ""}`));
  writeFileSync(stamp, lock);
  process.stdout.write(
    `  ${what.padEnd(10)} installed in ${((performance.now() - started) / 1000).toFixed(1)} s\n`,
  );
}

function describeNpmFailure(folder, output) {
  if (/EINTEGRITY|integrity checksum failed/i.test(output))
    return `A package that was downloaded is not the one that ${join(folder, "package-lock.json")} names: its checksum is another. Nothing of it was run. Find out whether the registry or proxy that npm uses changes packages, or run \`npm cache clean --force\` if npm's cache is damaged, and run the command again.`;
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i.test(output))
    return "Packages could not be downloaded because the npm registry cannot be reached: check the network or npm's registry and proxy settings, and run the command again.";
  if (/EROFS|EACCES|EPERM/.test(output))
    return `Packages could not be installed because ${folder} cannot be written: make it writable and run the command again.`;
  if (/ENOSPC/.test(output))
    return "Packages could not be installed because the disk is full: free some space and run the command again.";
  const reason =
    output.split("\n").find((line) => /npm (error|ERR!)/.test(line)) ?? output.trim().split("\n")[0] ?? "";
  return `Packages could not be installed (${reason.replace(/^npm (error|ERR!)\s*/, "").trim()}): run \`npm ci\` in ${folder} to see all of npm's report.`;
}
