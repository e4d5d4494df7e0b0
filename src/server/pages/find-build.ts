import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type BuildFolders, buildFolders } from "./build-folders.ts";
import { UserError } from "#platform/environment/user-error.ts";

/** Which folders of a build are complete. The build writes a folder's line once the folder is in place. */
export const STAMPS_FILE = "stamps.json";

/**
 * The folders of a complete build, which may be on a read-only disk. Whether it is up to date is not checked:
 * its sources may be missing.
 * @throws UserError that says what is missing and which command makes it
 */
export function findBuild(folders: BuildFolders = buildFolders()): BuildFolders {
  const { build, ...steps } = folders;
  const remedy = "Run `npm run build`, or set BUILD_DIR to a folder with a complete build.";
  const stamps = readStamps(join(build, STAMPS_FILE));
  if (!stamps) throw new UserError(`There is no build in ${build}. ${remedy}`);
  const missing = Object.values(steps)
    .filter((folder) => typeof stamps[basename(folder)] !== "string" || !existsSync(folder))
    .map((folder) => basename(folder));
  if (missing.length === 0) return folders;
  throw new UserError(`The build in ${build} is incomplete. Missing: ${missing.join(", ")}. ${remedy}`);
}

/** Undefined when the file is missing or malformed. */
function readStamps(file: string): { [folder: string]: unknown } | undefined {
  try {
    const stamps: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof stamps === "object" && stamps !== null ? { ...stamps } : undefined;
  } catch {
    return undefined;
  }
}
