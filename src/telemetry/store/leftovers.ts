import { readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Next to the database: files that were set aside as damaged, and the file of answers that was read into it. */
const LEFTOVER = /\.damaged-|^feedback\.ndjson\.imported$/;

/** Deletes these files when they were last written before `before`, so that they keep nothing longer than the database does. */
export function deleteLeftovers(file: string, before: number): void {
  const folder = dirname(file);
  for (const name of readdirSync(folder)) {
    if (!LEFTOVER.test(name.replace(basename(file), ""))) continue;
    const path = join(folder, name);
    if (statSync(path).mtimeMs < before) rmSync(path, { force: true });
  }
}
