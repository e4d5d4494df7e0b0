import { mkdir, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url)).replace(/[\\/]$/, "");
export const cacheFolder = join(root, ".cache");

/** Where a complete build lies (`BUILD_DIR`, default `build`); every step has a folder of its own. */
export function buildFolders(build = resolve(root, process.env["BUILD_DIR"] ?? "build")) {
  return {
    build,
    stamps: join(build, "stamps.json"),
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
 * Lets `write` fill a new folder and puts it in the place of `folder` when it is complete, so that a build that fails
 * or is stopped leaves the former one as it was.
 */
export async function replaceFolder(folder: string, write: (next: string) => Promise<void>): Promise<void> {
  const next = `${folder}.next`;
  const old = `${folder}.old`;
  await rm(next, { recursive: true, force: true });
  await mkdir(next, { recursive: true });
  try {
    await write(next);
    await rm(old, { recursive: true, force: true });
    await rename(folder, old).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    await rename(next, folder);
    await rm(old, { recursive: true, force: true });
  } catch (error) {
    await rm(next, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
}
