import { existsSync } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseSiteConfig } from "../../src/site-config.ts";
import { siteConfig } from "../../site.config.ts";
import { TEMPORARY_FILE } from "../../src/platform/files/durable.ts";
import { waitForLock } from "../../src/platform/files/lock.ts";
import { FORMAT_VERSION } from "../../src/search/index.ts";
import { buildConsole, consoleInputs } from "./console-step.ts";
import { contentBrands, contentIcons } from "./content-icons.ts";
import { buildFolders, type BuildFolders } from "./folders.ts";
import { hashInputs, readStamps, writeStamps } from "./stamps.ts";
import { UserError } from "./user-error.ts";

export interface BuildOptions {
  /** The site's own address; it is in the pages and in the records. */
  origin: string;
  folders?: BuildFolders;
  /** Only these steps; all by default. */
  only?: StepName[];
  /** One line for each step. */
  log?: (line: string) => void;
}

type StepName = "content" | "images" | "site" | "index" | "pages" | "console";

interface Step {
  name: StepName;
  /** Where its result is; its name is the step's in the stamps. */
  folder: string;
  key: string;
  /** Does the work and says in a few words what came out. */
  run: () => Promise<string>;
}

/**
 * Brings the build up to date: only steps whose inputs have changed run, and each replaces its result in one move.
 * @throws UserError when a page, the configuration or the code cannot be built.
 */
export async function build(options: BuildOptions): Promise<BuildFolders> {
  const { folders = buildFolders(), only, log = () => {} } = options;
  checkConfig();
  const steps = await planSteps(folders, options.origin);
  const findStale = async () => {
    const stamps = await readStamps(folders.stamps);
    const isStale = ({ folder, key }: Step) => stamps[basename(folder)] !== key || !existsSync(folder);
    return steps.filter((step) => only?.includes(step.name) !== false && isStale(step));
  };
  // What is complete is not written to: it may lie on a disk that cannot be.
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
      // Read again: the step has taken its former stamp away.
      const stamps = await readStamps(folders.stamps);
      await writeStamps(folders.stamps, { ...stamps, [basename(step.folder)]: step.key });
      log(`  ${step.name.padEnd(10)} ${result}, ${((performance.now() - started) / 1000).toFixed(1)} s`);
    }
  } finally {
    lock.release();
  }
  return folders;
}

/** The steps in order; the modules that do the work are loaded only when one is stale. */
async function planSteps(folders: BuildFolders, origin: string): Promise<Step[]> {
  const [content, cards, site, engine, consoleApp] = await Promise.all([
    hashInputs(["content", "src/content", "src/site/mdx", "src/site/marketing/server/schema.ts", "src/site/marketing/server/check-marketing.ts", "src/site/ui/sprite.ts", "package-lock.json", "scripts/build/content-step.ts"]),
    hashInputs(["src/site/social", "site.config.ts", "scripts/build/images-step.ts"]),
    hashInputs(["src/site", "src/platform/text", "src/telemetry/browser", "content/marketing", "content/changelog", "content/facts", "src/content", "src/site-config.ts", "site.config.ts", "public", "vite.config.ts", "react-router.config.ts", "package-lock.json", "scripts/build"], [...contentIcons(), ...contentBrands()]),
    hashInputs(["src/search", "src/records", "site.config.ts", "scripts/build/index-step.ts"], [`format ${FORMAT_VERSION}`]),
    hashInputs(consoleInputs),
  ]);
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
      key: [content, cards, origin].join(),
      run: async () => (await import("./images-step.ts")).buildImages(folders, origin),
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
      key: [content, engine, origin].join(),
      run: async () => (await import("./index-step.ts")).buildDocsIndex(folders, origin),
    },
    {
      name: "pages",
      folder: folders.pages,
      key: [content, cards, site, engine, origin].join(),
      run: async () => (await import("./pages-step.ts")).buildPages(folders, origin),
    },
    { name: "console", folder: folders.console, key: consoleApp, run: () => buildConsole(folders) },
  ];
}

/** What a build that was killed left half written, or did not remove any more. */
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
