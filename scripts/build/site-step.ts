import { spawn } from "node:child_process";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { compressFolder } from "./compress.ts";
import { cacheFolder, replaceFolder, root, type BuildFolders } from "./folders.ts";
import { UserError } from "./user-error.ts";

/** The client's and the server's code, built by React Router in a process of its own. */
export async function buildSite(folders: BuildFolders): Promise<string> {
  await replaceFolder(folders.site, async (next) => {
    const output = join(cacheFolder, `site-${process.pid}`);
    await mkdir(output, { recursive: true });
    try {
      await runReactRouter(output);
      for (const part of ["client", "server"]) await rename(join(output, part), join(next, part));
    } finally {
      await rm(output, { recursive: true, force: true });
    }
    await compressFolder(join(next, "client"));
  });
  return "client and server code";
}

function runReactRouter(output: string): Promise<void> {
  const cli = join(root, "node_modules/@react-router/dev/bin.cjs");
  const child = spawn(process.execPath, [cli, "build"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", SITE_BUILD_DIR: output },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let report = "";
  child.stdout.on("data", (chunk) => (report += chunk));
  child.stderr.on("data", (chunk) => (report += chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => {
      if (code === 0) resolve();
      else reject(new UserError(`The site's code cannot be built; mend what the bundler reports and run the command again.\n\n${report.trim()}`));
    });
  });
}
