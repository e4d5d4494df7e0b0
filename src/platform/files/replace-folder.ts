import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder, syncTree } from "./durable.ts";

export interface ReplaceFolderOptions {
  folder: string;
  /** Fills the new one. */
  write: (next: string) => Promise<void>;
  /** The last moment at which the former one is complete; what says that it is has to be gone after it. */
  beforeSwap?: () => Promise<void>;
}

/**
 * Puts a new folder in the place of another when it is complete and on the disk, so that whoever fails or is stopped leaves
 * the former one as it was. Between the two renames there is none.
 * @throws what `write` throws, or the system's error
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
