import { compressFolder } from "./compress.ts";
import { replaceFolder, type BuildFolders } from "./folders.ts";
import { runBundler } from "./run-bundler.ts";

/** What the console is made from, besides its own folder. */
export const consoleInputs = [
  "src/console",
  "src/telemetry/types.ts",
  "src/telemetry/reports/report-types.ts",
  "src/site/styles/theme.css",
  "src/site/styles/fonts.css",
  "src/site/styles/base.css",
  "src/site/styles/buttons.css",
  "src/site/fonts",
  "site.config.ts",
  "package-lock.json",
  "scripts/build/console-step.ts",
];

/** The operator's console: `index.html` for every address below `/console`, and `assets/` with hashed names. */
export async function buildConsole(folders: BuildFolders): Promise<string> {
  await replaceFolder(folders.console, async (next) => {
    await runBundler({
      what: "The console's code",
      command: [
        "vite/bin/vite.js",
        "build",
        "--config",
        "src/console/vite.config.ts",
        "--outDir",
        next,
        "--emptyOutDir",
      ],
    });
    await compressFolder(next);
  });
  return "the operator's console";
}
