import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";
import { UserError } from "./user-error.ts";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/**
 * The browser for tests: the system's Chromium, else the one that Playwright has downloaded, else Debian's package
 * where this user may install it.
 * @throws UserError when none can be had.
 */
export function findBrowser(): string {
  const found = process.env["CHROMIUM"] ?? onPath() ?? playwrights() ?? installed();
  if (found && existsSync(found)) return found;
  throw new UserError(
    "The browser tests need Chromium and none can be had: install it (Debian: `apt-get install chromium`; others: `npx playwright install chromium`) or set CHROMIUM to its path.",
  );
}

function onPath(): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}

function playwrights(): string | undefined {
  const path = chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

function installed(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  console.log("  browser    installing Debian's chromium …");
  const options = { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } as const;
  spawnSync("apt-get", ["update"], options);
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], options);
  return onPath();
}
