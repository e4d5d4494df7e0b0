import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { replaceFolderDurably } from "../../src/platform/files/replace-folder.ts";
import { forgetStamp, stampFile } from "./stamp-file.ts";

export const root = fileURLToPath(new URL("../../", import.meta.url)).replace(/[\\/]$/, "");
export const cacheFolder = join(root, ".cache");

/** Where a complete build lies (`BUILD_DIR`, default `build`); every step has a folder of its own. */
export function buildFolders(build = resolve(root, process.env["BUILD_DIR"] ?? "build")) {
  return {
    build,
    stamps: stampFile(build),
    content: join(build, "content"),
    images: join(build, "images"),
    site: join(build, "site"),
    search: join(build, "search"),
    console: join(build, "console"),
    pages: join(build, "pages"),
  };
}

export type BuildFolders = ReturnType<typeof buildFolders>;

/**
 * Lets `write` fill a new folder and puts it in the place of `folder` when it is complete. Its stamp is gone before that,
 * so that a build that is killed in the middle, or whose power is cut, is done again.
 */
export function replaceFolder(folder: string, write: (next: string) => Promise<void>): Promise<void> {
  return replaceFolderDurably({ folder, write, beforeSwap: () => forgetStamp(folder) });
}
