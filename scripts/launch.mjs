// Runs on the machine's own Node.js (20.19 or newer): installs what is missing, then hands over to the project's Node.js 24.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { installPackages, UserError } from "./packages.mjs";
import { findNode, requireNode, root } from "./runtime.mjs";

/** Runs `script` with Node.js 24, after installing what is missing: it, and packages when the lock file has changed. */
export async function launch(script, args = process.argv.slice(2)) {
  try {
    requireNode();
    installPackages(root, "packages");
    await run(script, args);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

function run(script, args) {
  return new Promise((resolve) => {
    const child = spawn(findNode(), ["--disable-warning=ExperimentalWarning", join(root, script), ...args], {
      cwd: root,
      stdio: "inherit",
    });
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
    child.on("exit", (code, signal) => {
      process.exitCode = code ?? (signal ? 128 : 1);
      resolve();
    });
  });
}
