/** Room on the disk of a layer cache. */
import { statfs } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { pruneUnused } from "./ask-buildkitd.ts";
import { MIN_FREE_BYTES } from "./limits.ts";

/** buildkitd may be removing files at the moment. */
const WAIT_MS = 3_000;
const ASK_AGAIN_MS = 50;

/** Whether a build would fail in the middle, and so would this server's records. */
export const isFull = async (folder: string): Promise<boolean> =>
  (await freeBytesOf(folder)) < MIN_FREE_BYTES;

/**
 * On a full disk, what is of use to no build goes before one begins. buildkitd itself does that a second after its start.
 * @throws Error where that is not enough
 */
export async function makeSpace(socket: string, folder: string): Promise<void> {
  if (!(await isFull(folder))) return;
  await pruneUnused(socket);
  for (const end = performance.now() + WAIT_MS; await isFull(folder);) {
    if (performance.now() > end) throw explainFull(folder, await freeBytesOf(folder));
    await wait(ASK_AGAIN_MS);
  }
}

const explainFull = (folder: string, freeBytes: number) =>
  new Error(
    `The disk of ${folder} is full: ${Math.floor(freeBytes / 1024 ** 2)} MB are free. Free some of it, or reset layer caches.`,
  );

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
