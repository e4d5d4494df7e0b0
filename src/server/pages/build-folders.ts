import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../../", import.meta.url)).replace(/[\\/]$/, "");
export const cacheFolder = join(root, ".cache");
/** Notes of tests that ran the commands of pages, for `scripts/update-ran.ts`. */
export const ranFolder = join(cacheFolder, "ran");

/** The place of a complete build (`BUILD_DIR`, default `build`); every step has its own folder. */
export function buildFolders(build = resolve(root, process.env["BUILD_DIR"] ?? "build")) {
  return {
    build,
    content: join(build, "content"),
    images: join(build, "images"),
    site: join(build, "site"),
    search: join(build, "search"),
    console: join(build, "console"),
    pages: join(build, "pages"),
    offline: join(build, "offline"),
    cli: join(build, "cli"),
  };
}

export type BuildFolders = ReturnType<typeof buildFolders>;
