/** Room on the disk of a layer cache. */
import { setTimeout as wait } from "node:timers/promises";
import { type DiskSpace, inWords, lowMarkOf, readDiskSpace } from "#platform/files/disk-space.ts";
import { pruneUnused } from "./ask-buildkitd.ts";
import { MIN_FREE_BYTES } from "./limits.ts";

/** buildkitd may still be removing files. */
const WAIT_MS = 3_000;
const ASK_AGAIN_MS = 50;

/** Whether builds, and writes of this server's records, would fail. */
export const isFull = async (folder: string): Promise<boolean> =>
  (await readDiskSpace(folder)).freeBytes < MIN_FREE_BYTES;

/**
 * On an almost full disk, removes unused data before a build begins. buildkitd itself does that a second after its start.
 * @throws Error when that is not enough
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

/** Free space that a build needs to start. */
export const neededBytes = ({ totalBytes }: DiskSpace): number =>
  Math.max(MIN_FREE_BYTES, lowMarkOf(totalBytes));

/** @returns a sentence; null: a build may begin */
async function findLack(folder: string): Promise<string | null> {
  const space = await readDiskSpace(folder);
  const needed = neededBytes(space);
  if (space.freeBytes >= needed) return null;
  return `The disk of this server's layer caches is full: ${inWords(space)}, and a build needs ${Math.ceil(needed / 1e6)} MB to start. Free some space, or reset layer caches.`;
}
