/**
 * Replaces `DATA_DIR` with a backup. The copy is made and checked next to it, so that a damaged backup or a full disk changes
 * nothing; then two renames exchange the folders.
 */
import { chmod, mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { FolderInUseError, openDataFolder } from "#platform/locks/data-folder.ts";
import { FOLDER_MODE, syncFolder, syncTree } from "#platform/files/durable.ts";
import { UserError } from "#platform/environment/user-error.ts";
import { copyFile } from "./copy-file.ts";
import { ifGone } from "./find-files.ts";
import { DATA_FOLDER, type Manifest, type ManifestFile, readManifest } from "./manifest.ts";

export interface RestoredBackup {
  manifest: Manifest;
  /** Where the old content of `DATA_DIR` is now; null when there was none. */
  former: string | null;
}

/** @throws UserError when a server is using `DATA_DIR`, when the backup is damaged, or when the folder cannot be moved */
export async function restoreBackup(folder: string, dataDir: string): Promise<RestoredBackup> {
  const [source, target] = [resolve(folder), resolve(dataDir)];
  const manifest = await readManifest(source);
  await mkdir(dirname(target), { recursive: true, mode: FOLDER_MODE });
  const held = (await stat(target).catch(ifGone)) ? holdFolder(target) : null;
  const next = `${target}.restoring`;
  const former = `${target}.before-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`;
  try {
    await rm(next, { recursive: true, force: true });
    await mkdir(next, { mode: FOLDER_MODE });
    // The umask may have removed permissions.
    await chmod(next, FOLDER_MODE);
    for (const file of manifest.files) await copyChecked(source, next, file);
    await syncTree(next);
    if (held) await rename(target, former).catch(explainMove(target));
    await rename(next, target);
    await syncFolder(dirname(target));
    return { manifest, former: held ? former : null };
  } catch (error) {
    await rm(next, { recursive: true, force: true }).catch(() => {});
    // If the process is killed between the two renames, the old folder is not restored; the message and the folder's name explain
    // it.
    if (held && !(await stat(target).catch(ifGone))) await rename(former, target).catch(() => {});
    throw error;
  } finally {
    held?.close();
  }
}

function holdFolder(path: string) {
  try {
    return openDataFolder(path, "no address: a backup is being restored");
  } catch (error) {
    if (error instanceof FolderInUseError) throw new UserError(`${error.message} Nothing was restored.`);
    throw error;
  }
}

async function copyChecked(source: string, target: string, file: ManifestFile): Promise<void> {
  const from = join(source, DATA_FOLDER, file.path);
  const copied = await copyFile(from, join(target, file.path)).catch(ifGone);
  const problem = !copied
    ? "is missing"
    : copied.bytes !== file.bytes
      ? `has ${copied.bytes} bytes instead of ${file.bytes}`
      : copied.sha256 !== file.sha256
        ? "has a different checksum from the manifest"
        : null;
  if (problem === null) return;
  throw new UserError(
    `The backup is damaged: ${from} ${problem}. Nothing was restored; use another backup, or another copy of this one.`,
  );
}

function explainMove(path: string) {
  return (error: NodeJS.ErrnoException): never => {
    if (error.code !== "EBUSY" && error.code !== "EXDEV") throw error;
    throw new UserError(
      `${path} is a mount point and cannot be moved: set DATA_DIR to a folder inside it, such as ${join(path, "data")}. Nothing was restored.`,
    );
  };
}
