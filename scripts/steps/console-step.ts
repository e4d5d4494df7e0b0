import { compressFolder } from "./compress.ts";
import type { BuildFolders } from "#server/pages/build-folders.ts";
import { replaceFolder } from "./replace-folder.ts";
import { runBundler } from "./run-bundler.ts";

/** The operator's console: `index.html` for every address below `/console`, and `assets/` with hashed names. */
export async function buildConsole(folders: BuildFolders): Promise<string> {
  await replaceFolder(folders.console, async (next) => {
    await runBundler({
      what: "The console's code",
      command: [
        "vite/bin/vite.js",
        "build",
        "--config",
        "src/app/vite.config.ts",
        "--outDir",
        next,
        "--emptyOutDir",
      ],
    });
    await compressFolder(next);
  });
  return "the operator's console";
}
