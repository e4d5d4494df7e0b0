import { existsSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseSiteConfig } from "../../src/site-config.ts";
import { siteConfig } from "#config";
import { TEMPORARY_FILE } from "#platform/files/durable.ts";
import { waitForLock } from "#platform/locks/lock.ts";
import { buildConsole } from "./console-step.ts";
import { contentBrands, contentIcons } from "./content-icons.ts";
import { buildFolders, type BuildFolders } from "#server/pages/build-folders.ts";
import { TABLE_FILE } from "#docs/questions/table-file.ts";
import { hashInputs, type Inputs } from "./hash-inputs.ts";
import { readSourceFiles } from "../imports/source-files.ts";
import { readStamps, stampFile, writeStamps } from "./stamp-file.ts";
import { UserError } from "#platform/environment/user-error.ts";

export interface BuildOptions {
  folders?: BuildFolders;
  /** Runs only these steps. Default: all. */
  only?: StepName[];
  /** One line for each step. */
  log?: (line: string) => void;
}

type StepName = "content" | "images" | "site" | "index" | "pages" | "offline" | "console" | "cli";

interface Step {
  name: StepName;
  /** The folder of its result, whose name also identifies the step in the stamps. */
  folder: string;
  key: string;
  /** Does the work and returns a short summary of the result. */
  run: () => Promise<string>;
}

/**
 * Brings the build up to date: only steps whose inputs have changed run, and each replaces its result in one move.
 * @throws UserError when a page, the configuration or the code cannot be built.
 */
export async function build(options: BuildOptions = {}): Promise<BuildFolders> {
  const { folders = buildFolders(), only, log = () => {} } = options;
  checkConfig();
  const steps = await planSteps(folders);
  const findStale = async () => {
    const known = await readStamps(stampFile(folders.build));
    const isStale = ({ folder, key }: Step) => known[basename(folder)] !== key || !existsSync(folder);
    return steps.filter((step) => only?.includes(step.name) !== false && isStale(step));
  };
  // A complete build is left untouched: it may be on a read-only disk.
  if ((await findStale()).length === 0) return folders;
  await mkdir(folders.build, { recursive: true });
  const lock = await waitForLock(join(folders.build, "lock"), {
    onWait: () => log("  waiting for another process that builds …"),
  });
  try {
    await removeLeftOver(folders.build);
    for (const step of await findStale()) {
      log(`  ${step.name.padEnd(10)} building …`);
      const started = performance.now();
      const result = await step.run();
      // Read again, because the step has removed its old stamp.
      const known = await readStamps(stampFile(folders.build));
      await writeStamps(stampFile(folders.build), { ...known, [basename(step.folder)]: step.key });
      log(`  ${step.name.padEnd(10)} ${result}, ${((performance.now() - started) / 1000).toFixed(1)} s`);
    }
  } finally {
    lock.release();
  }
  return folders;
}

/** Inputs that each step reads itself, in the order of the steps. */
async function hashSteps() {
  const sources = readSourceFiles();
  const hash = (inputs: Inputs) => hashInputs(inputs, sources);
  const keys = [
    hash({ code: ["scripts/steps/content-step.ts"], data: ["content", "public/images"] }),
    hash({ code: ["scripts/steps/images-step.ts"], data: ["content/marketing"] }),
    hash({
      code: ["scripts/steps/site-step.ts", "vite.config.ts", "react-router.config.ts", "src/site"],
      data: ["src/site", "src/ui", "content/marketing", "content/changelog", "public"],
      // The sprite contains the icons that pages name.
      texts: [...contentIcons(), ...contentBrands()],
    }),
    hash({ code: ["scripts/steps/index-step.ts"], data: [TABLE_FILE] }),
    hash({ code: ["scripts/steps/pages-step.ts"] }),
    hash({ code: ["scripts/steps/offline-step.ts", "src/offline/worker.ts"] }),
    hash({
      code: [
        "scripts/steps/console-step.ts",
        "src/app/vite.config.ts",
        "src/app/app.tsx",
        "src/app/begin.ts",
      ],
      data: ["src/app", "src/ui"],
      texts: [process.env["COMPONENT_PAGES"] ?? ""],
    }),
    hash({
      code: ["scripts/steps/cli-step.ts", "cli/src"],
      data: [
        "cli/install",
        "cli/package.json",
        "cli/README.md",
        "cli/LICENSE",
        "cli/tsconfig.types.json",
        "content/facts/cache.yaml",
        "content/facts/cli.yaml",
        "content/facts/parts.yaml",
      ],
    }),
  ] as const;
  await sources.keep();
  return keys;
}

/** The steps in order; the modules that do the work are loaded only when one is stale. */
async function planSteps(folders: BuildFolders): Promise<Step[]> {
  const [content, images, site, index, pages, offline, consoleApp, cli] = await hashSteps();
  return [
    {
      name: "content",
      folder: folders.content,
      key: content,
      run: async () => (await import("./content-step.ts")).buildContent(folders),
    },
    {
      name: "images",
      folder: folders.images,
      key: [content, images].join(),
      run: async () => (await import("./images-step.ts")).buildImages(folders),
    },
    {
      name: "site",
      folder: folders.site,
      key: site,
      run: async () => (await import("./site-step.ts")).buildSite(folders, site),
    },
    {
      name: "index",
      folder: folders.search,
      key: [content, index].join(),
      run: async () => (await import("./index-step.ts")).buildIndexFile(folders),
    },
    {
      name: "pages",
      folder: folders.pages,
      key: [content, images, site, pages].join(),
      run: async () => (await import("./pages-step.ts")).buildPages(folders),
    },
    {
      name: "offline",
      folder: folders.offline,
      key: [content, images, site, index, pages, offline].join(),
      run: async () => (await import("./offline-step.ts")).buildOffline(folders),
    },
    { name: "console", folder: folders.console, key: consoleApp, run: () => buildConsole(folders) },
    {
      name: "cli",
      folder: folders.cli,
      key: cli,
      run: async () => (await import("./cli-step.ts")).buildCli(folders),
    },
  ];
}

/** Removes files that a killed build left half-written or did not remove. */
async function removeLeftOver(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (TEMPORARY_FILE.test(name) || /\.(?:next|old)$/.test(name))
      await rm(join(folder, name), { recursive: true, force: true });
}

function checkConfig() {
  try {
    parseSiteConfig(siteConfig);
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : String(error));
  }
}
