/** A real file system of a few megabytes, for servers that run in turn. */
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, statfsSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/** A foreign file in the data folder. */
export const FILLER = "filler";
const BLOCK_BYTES = 64 * 1024;

export interface SmallDisk {
  dataDir: string;
  /** Servers that still use it keep it until they end. */
  close: () => void;
}

/** @returns null where an image of a disk cannot be mounted */
export function openSmallDisk(folder: string, bytes: number): SmallDisk | null {
  const [image, dataDir] = [join(folder, "image"), join(folder, "data")];
  mkdirSync(dataDir);
  writeFileSync(image, "");
  truncateSync(image, bytes);
  // Without the blocks that only root may fill.
  if (spawnSync("mkfs.ext4", ["-q", "-m", "0", image]).status !== 0) return null;
  if (spawnSync("mount", ["-o", "loop", image, dataDir]).status !== 0) return null;
  return { dataDir, close: () => void spawnSync("umount", ["--lazy", dataDir]) };
}

/** Fills the disk to the last byte with a foreign file. */
export function fillDisk(folder: string): void {
  const file = openSync(join(folder, FILLER), "a");
  for (let size = BLOCK_BYTES; size >= 1;)
    try {
      writeSync(file, Buffer.alloc(size, 1));
    } catch {
      size = Math.floor(size / 2);
    }
  closeSync(file);
  const { bavail, bsize } = statfsSync(folder);
  const left = bavail * bsize;
  if (left > BLOCK_BYTES) throw new Error(`${folder} could not be filled: ${left} bytes are free.`);
}
