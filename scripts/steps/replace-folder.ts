import { replaceFolderDurably } from "#platform/files/replace-folder.ts";
import { forgetStamp } from "./stamp-file.ts";

/**
 * Lets `write` fill a new folder and puts it in the place of `folder` when it is complete. Its stamp is gone before that,
 * so that a build that is killed in the middle, or whose power is cut, is done again.
 */
export function replaceFolder(folder: string, write: (next: string) => Promise<void>): Promise<void> {
  return replaceFolderDurably({ folder, write, beforeSwap: () => forgetStamp(folder) });
}
