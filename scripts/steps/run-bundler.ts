import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "#server/pages/build-folders.ts";
import { UserError } from "#platform/environment/user-error.ts";

interface Bundling {
  /** Name of the output, for the message: "The site's code". */
  what: string;
  /** Path below `node_modules`, then arguments. */
  command: [script: string, ...args: string[]];
  env?: NodeJS.ProcessEnv;
}

/**
 * Runs a bundler in its own process: it changes `NODE_ENV` and keeps state that the server must not share.
 * @throws UserError with the bundler's report.
 */
export function runBundler({ what, command: [script, ...args], env }: Bundling): Promise<void> {
  const withUs = `--import=${pathToFileURL(join(import.meta.dirname, "end-with-parent.ts")).href}`;
  const child = spawn(process.execPath, [withUs, join(root, "node_modules", script), ...args], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let report = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (report += chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => {
      if (code === 0) resolve();
      else
        reject(
          new UserError(
            `${what} cannot be built; fix what the bundler reports and run the command again.\n\n${report.trim()}`,
          ),
        );
    });
  });
}
