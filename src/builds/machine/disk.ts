/** Room on the disk of a layer cache. */
import { setTimeout as wait } from "node:timers/promises";
import { type DiskSpace, inWords, lowMarkOf, readDiskSpace } from "#platform/files/disk-space.ts";
import { pruneUnused } from "./ask-buildkitd.ts";
import { MIN_FREE_BYTES } from "./limits.ts";

/** buildkitd may be removing files at the moment. */
const WAIT_MS = 3_000;
const ASK_AGAIN_MS = 50;

/** Whether a build would fail in the middle, and so would this server's records. */
export const isFull = async (folder: string): Promise<boolean> =>
  (await readDiskSpace(folder)).freeBytes < MIN_FREE_BYTES;

/**
 * On a disk that is almost full, what is of use to no build goes before one begins. buildkitd itself does that a second after
 * its start.
 * @throws Error where that is not enough
 */
export async function makeSpace(socket: string, folder: string): Promise<void> {
  if ((await findLack(folder)) === null) return;
  await pruneUnused(socket);
  const end = performance.now() + WAIT_MS;
  for (let lack = await findLack(folder); lack !== null; lack = await findLack(folder)) {
    if (performance.now() > end) throw new Error(lack);
    await wait(ASK_AGAIN_MS);
  }
}

/** Free space with which a build begins. */
export const neededBytes = ({ totalBytes }: DiskSpace): number =>
  Math.max(MIN_FREE_BYTES, lowMarkOf(totalBytes));

/** @returns in words; null: a build may begin */
async function findLack(folder: string): Promise<string | null> {
  const space = await readDiskSpace(folder);
  const needed = neededBytes(space);
  if (space.freeBytes >= needed) return null;
  return `The disk of this server's layer caches is full: ${inWords(space)}, and a build needs ${Math.ceil(needed / 1e6)} MB to start. Free some space, or reset layer caches.`;
}
