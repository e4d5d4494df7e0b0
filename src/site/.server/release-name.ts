import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * `millrace@0.1.0+1a2b3c4d`: the version, and a stamp of the site's sources. Browser and server report the same
 * name.
 * @param version of package.json @param key the stamp of the step `site`.
 */
export function releaseName(version: string, key: string): string {
  return `millrace@${version}+${key.slice(0, 8)}`;
}

const FILE = "release";

/** @param folder output folder of the step `site` */
export function writeRelease(folder: string, name: string): Promise<void> {
  return writeFile(join(folder, FILE), name);
}

export function readRelease(folder: string): Promise<string> {
  return readFile(join(folder, FILE), "utf8");
}
