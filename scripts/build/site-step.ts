import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { compressFolder } from "./compress.ts";
import { cacheFolder, replaceFolder, type BuildFolders } from "./folders.ts";
import { releaseName } from "./release-name.ts";
import { runBundler } from "./run-bundler.ts";
import { moveSourceMaps } from "./source-maps.ts";

/** The client's and the server's code, built by React Router. */
export async function buildSite(folders: BuildFolders, key: string): Promise<string> {
  await replaceFolder(folders.site, async (next) => {
    const output = join(cacheFolder, `site-${process.pid}`);
    await mkdir(output, { recursive: true });
    try {
      await runBundler({
        what: "The site's code",
        command: ["@react-router/dev/bin.cjs", "build"],
        env: { SITE_BUILD_DIR: output, SITE_RELEASE: releaseName(key) },
      });
      for (const part of ["client", "server"]) await rename(join(output, part), join(next, part));
    } finally {
      await rm(output, { recursive: true, force: true });
    }
    await moveSourceMaps(join(next, "client"), join(next, "maps"));
    await compressFolder(join(next, "client"));
  });
  return "client and server code";
}
