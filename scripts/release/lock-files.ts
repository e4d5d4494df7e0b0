import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "#server/pages/build-folders.ts";

export interface NamedLockFile {
  /** From the repository's root. */
  file: string;
  /** The folder its packages are installed into, with a slash at its end; "" for the root. */
  folder: string;
}

const RUNTIMES = readdirSync(join(root, "runtime"))
  .toSorted()
  .map((machine) => `runtime/${machine}/`);

/** Lock files of the project's own packages, and of the Node.js for machines without one (`runtime.mjs`). */
export const LOCK_FILES: readonly NamedLockFile[] = ["", ...RUNTIMES].map((folder) => ({
  file: `${folder}package-lock.json`,
  folder,
}));
