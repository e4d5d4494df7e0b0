import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { compressFolder } from "./compress.ts";
import { cacheFolder, type BuildFolders, root } from "#server/pages/build-folders.ts";
import { replaceFolder } from "./replace-folder.ts";
import { releaseName, writeRelease } from "#site/.server/release-name.ts";
import packageJson from "../../package.json" with { type: "json" };
import { runBundler } from "./run-bundler.ts";
import { moveSourceMaps } from "./source-maps.ts";

/** The client's and the server's code, built by React Router. */
export async function buildSite(folders: BuildFolders, key: string): Promise<string> {
  await replaceFolder(folders.site, async (next) => {
    const release = releaseName(packageJson.version, key);
    const output = join(cacheFolder, `site-${process.pid}`);
    await mkdir(output, { recursive: true });
    await removeLeftOver(cacheFolder);
    try {
      await runBundler({
        what: "The site's code",
        command: ["@react-router/dev/bin.cjs", "build"],
        env: { SITE_BUILD_DIR: output, SITE_RELEASE: release },
      });
      await writeRelease(next, release);
      for (const part of ["client", "server"]) await move(join(output, part), join(next, part));
      await forgetFolder(join(next, "server/index.js"), relative(root, output));
    } finally {
      await rm(output, { recursive: true, force: true });
    }
    await moveSourceMaps(join(next, "client"), join(next, "maps"));
    await compressFolder(join(next, "client"));
  });
  return "client and server code";
}

/** The server's code contains its build folder but does not use it. Without it, the same sources give the same bytes. */
async function forgetFolder(file: string, folder: string): Promise<void> {
  await writeFile(file, (await readFile(file, "utf8")).replaceAll(folder, ".cache/site"));
}

/** `BUILD_DIR` may be on another disk. Then the original is removed later, with its folder. */
async function move(from: string, to: string): Promise<void> {
  await rename(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EXDEV") throw error;
    return cp(from, to, { recursive: true });
  });
}

/** Removes leftovers of killed builds: folders named after a process id that no longer runs. */
export async function removeLeftOver(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = /^site-(\d+)$/.exec(name)?.[1];
    if (pid && !isRunning(Number(pid))) await rm(join(folder, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process counts as running.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
