import { readFileSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Linux keeps files in this folder in memory. */
const IN_MEMORY = "/dev/shm";
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * The place for a test run's temporary folder: in memory if there is plenty, because every write that waits for a disk
 * leaves a core idle (a test of 60 databases took 31 s on a disk and 7 s in memory). `TMPDIR` chooses another place.
 */
export function temporaryParent(): string {
  return process.env["TMPDIR"] === undefined && isSuitable() ? IN_MEMORY : tmpdir();
}

function isSuitable(): boolean {
  try {
    const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
    const options = mounts.map((line) => line.split(" ")).find(([, place]) => place === IN_MEMORY)?.[3];
    // Some tests write programs and start them.
    if (options === undefined || options.split(",").includes("noexec")) return false;
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) > NEEDED_BYTES;
  } catch {
    return false;
  }
}
