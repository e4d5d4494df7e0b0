/**
 * Files that survive `kill -9` and a power cut once the write has resolved: a reader finds the old or the new
 * content, whole. A rename is only durable once its folder has been synced too.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync } from "node:fs";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** Only the server's user may read its files. */
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

/** Names of files that a killed process may have left half-written; a start may remove them. */
export const TEMPORARY_FILE = /\.\d+-\d+\.tmp$/;

let written = 0;

/**
 * Writes a file under a temporary name, syncs it, renames it and syncs the folder, which is made if missing.
 * @param mode for a file that others may read; the process's umask applies
 * @throws the system's error; then the old file is untouched and nothing is left behind.
 */
export async function writeDurably(
  path: string,
  content: Uint8Array | string,
  mode: number = FILE_MODE,
): Promise<void> {
  await replaceFile(path, content, { mode, isSynced: true });
  await syncFolder(dirname(path));
}

/**
 * Like `writeDurably`, for files that can be recreated: other processes see the old or the new file, whole, but a power cut may
 * leave neither.
 */
export function writeWhole(path: string, content: Uint8Array | string, mode = FILE_MODE): Promise<void> {
  return replaceFile(path, content, { mode, isSynced: false });
}

async function replaceFile(
  path: string,
  content: Uint8Array | string,
  { mode, isSynced }: { mode: number; isSynced: boolean },
): Promise<void> {
  await makeFolder(dirname(path));
  const temporary = `${path}.${process.pid}-${written++}.tmp`;
  try {
    const file = await open(temporary, "wx", mode);
    try {
      await file.writeFile(content);
      if (isSynced) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/** Folders made here whose names may not be on the disk yet: until then, any caller that finds them also syncs them. */
const unsynced = new Set<string>();

/** Makes a folder and its missing parents, durably. @throws the system's error */
export async function makeFolder(path: string): Promise<void> {
  for (const folder of noteMade(path, await mkdir(path, { recursive: true, mode: FOLDER_MODE }))) {
    await syncFolder(dirname(folder));
    unsynced.delete(folder);
  }
}

/** Like `makeFolder`, for code that cannot wait. */
export function makeFolderNow(path: string): void {
  for (const folder of noteMade(path, mkdirSync(path, { recursive: true, mode: FOLDER_MODE }))) {
    syncFolderNow(dirname(folder));
    unsynced.delete(folder);
  }
}

/** @param first the first folder made on the way to `path` @returns folders not on the disk yet, from the top down */
function noteMade(path: string, first: string | undefined): string[] {
  if (first === undefined && unsynced.size === 0) return [];
  const folders: string[] = [];
  for (let folder = resolve(path); folder !== dirname(folder); folder = dirname(folder)) folders.push(folder);
  const least = first === undefined ? Number.POSITIVE_INFINITY : resolve(first).length;
  for (const folder of folders) if (folder.length >= least) unsynced.add(folder);
  return folders.filter((folder) => unsynced.has(folder)).toReversed();
}

/** Renames within one folder, durably. @throws the system's error */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

/** Removes a file, durably; a missing file is not an error. @throws the system's error */
export async function removeDurably(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncFolder(dirname(path));
}

/** Like `renameDurably`, for code that cannot wait. */
export function renameDurablyNow(from: string, to: string): void {
  renameSync(from, to);
  syncFolderNow(dirname(to));
}

/** Like `syncFolder`, for code that cannot wait. */
export function syncFolderNow(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes everything below a folder durable: the files, then the names in the folders. */
export async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  // The thread pool waits for the disk, which merges several syncs.
  const queue = files.values();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const file of queue) await syncFile(file);
    }),
  );
  for (const path of [...folders, folder]) await syncFolder(path);
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes renames and removals in a folder durable. Windows has no such call and does not need one. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
