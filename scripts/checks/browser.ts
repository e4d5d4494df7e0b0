import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";
import { UserError } from "#platform/environment/user-error.ts";

const WHOLE_NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const SHELL_NAMES = ["chromium-headless-shell"];
/** The font that text has before the site's own fonts load: with others text moves, and tests of that fail. */
const LIBERATION = "/usr/share/fonts/truetype/liberation";

export interface Browsers {
  /** The browser that readers use. */
  whole: string;
  /** The headless shell, which is faster in tests; the whole browser if there is no shell. */
  shell: string;
}

/**
 * The browsers for tests: `CHROMIUM` and `CHROMIUM_SHELL`, else the system's, else Playwright's download, else Debian's packages
 * if this user may install them.
 * @throws UserError when none is available.
 */
export function findBrowsers(): Browsers {
  const { CHROMIUM, CHROMIUM_SHELL } = process.env;
  const known = {
    whole: CHROMIUM ?? onPath(WHOLE_NAMES),
    shell: CHROMIUM_SHELL ?? CHROMIUM ?? onPath(SHELL_NAMES),
  };
  if (!known.whole || !known.shell) installPackages(["chromium", "chromium-headless-shell"]);
  if (!existsSync(LIBERATION)) installPackages(["fonts-liberation"]);
  const whole = known.whole ?? onPath(WHOLE_NAMES) ?? playwrights();
  if (!whole || !existsSync(whole))
    throw new UserError(
      "The browser tests need Chromium, which was not found and could not be installed: install it (Debian: `apt-get install chromium`; others: `npx playwright install chromium`) or set CHROMIUM to its path.",
    );
  return { whole, shell: known.shell ?? onPath(SHELL_NAMES) ?? whole };
}

function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file));
}

function playwrights(): string | undefined {
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

/** Separately, because a system may have only one of them. */
function installPackages(names: readonly string[]): void {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.log(`  browser    installing Debian's ${names.join(", ")} …`);
  const options = { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } as const;
  spawnSync("apt-get", ["update"], options);
  for (const name of names) spawnSync("apt-get", ["install", "-y", "--no-install-recommends", name], options);
}
