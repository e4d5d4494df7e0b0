import { replaceFolderDurably } from "#platform/files/replace-folder.ts";
import { forgetStamp } from "./stamp-file.ts";

/**
 * Lets `write` fill a new folder and replaces `folder` with it once it is complete. The stamp is removed first, so that a build
 * that is killed midway, or loses power, runs again.
 */
export function replaceFolder(folder: string, write: (next: string) => Promise<void>): Promise<void> {
  return replaceFolderDurably({ folder, write, beforeSwap: () => forgetStamp(folder) });
}
