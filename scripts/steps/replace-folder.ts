import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder, syncTree } from "../../src/platform/files/durable.ts";
import { forgetStamp } from "./stamp-file.ts";

/**
 * Lets `write` fill a new folder and puts it in the place of `folder` when it is complete, so that a build that fails
 * or is stopped leaves the former one as it was. Between the two renames there is no folder, but its stamp is removed first, so
 * a build that is killed there, or loses power, runs again.
 */
export async function replaceFolder(folder: string, write: (next: string) => Promise<void>): Promise<void> {
  const next = `${folder}.next`;
  const old = `${folder}.old`;
  await rm(next, { recursive: true, force: true });
  await mkdir(next, { recursive: true });
  try {
    await write(next);
    await syncTree(next);
    await rm(old, { recursive: true, force: true });
    await forgetStamp(folder);
    await rename(folder, old).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
    await rename(next, folder);
    await syncFolder(dirname(folder));
    await rm(old, { recursive: true, force: true });
  } catch (error) {
    await rm(next, { recursive: true, force: true }).catch(() => {});
    throw error;
  }
}
