import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder, syncTree } from "./durable.ts";

export interface ReplaceFolderOptions {
  folder: string;
  /** Fills the new folder. */
  write: (next: string) => Promise<void>;
  /** Called just before the swap: any mark that the old folder is complete must be removed here. */
  beforeSwap?: () => Promise<void>;
}

/**
 * Replaces a folder with a new folder once the new folder is complete and on the disk, so that a failure or a stop leaves the old
 * folder unchanged. Between the two renames there is no folder.
 * @throws the error of `write`, or the system's error
 */
export async function replaceFolderDurably({
  folder,
  write,
  beforeSwap,
}: ReplaceFolderOptions): Promise<void> {
  const next = `${folder}.next`;
  const old = `${folder}.old`;
  await rm(next, { recursive: true, force: true });
  await mkdir(next, { recursive: true });
  try {
    await write(next);
    await syncTree(next);
    await rm(old, { recursive: true, force: true });
    await beforeSwap?.();
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
