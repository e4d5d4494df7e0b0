/**
 * A file that holds room on a disk, for writes that must go through when there is no other: a token that leaked is revoked
 * on a full disk, too.
 *
 *   full disk, urgent write ─► release: 1 MiB, then 2, 4, … until it went through ─► take back what it left
 *
 * Its bytes are random, because some file systems keep neither zeros nor what can be compressed. Those that copy on write
 * (Btrfs, ZFS) may give the room back only seconds later.
 */
import { randomFillSync } from "node:crypto";
import { closeSync, fstatSync, ftruncateSync, openSync, statfsSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { lowMarkOf } from "./disk-space.ts";
import { FILE_MODE } from "./durable.ts";

/** `disk.reserve` of content/facts/limits.yaml. */
const RESERVE_BYTES = 64_000_000;
/** Of the low mark, at most: a reserve that grows on a disk where uploads have stopped leaves the rest to the records. */
const SHARE_OF_LOW = 0.8;
const SLICE_BYTES = 1024 ** 2;
/** Written in one turn of the event loop at most: some milliseconds of its time. */
const MOST_AT_ONCE_BYTES = 4 * SLICE_BYTES;
/** What is written at last, where no slice fits. */
const SMALLEST_BYTES = 4096;
/** https://man7.org/linux/man-pages/man3/stat.3type.html */
const STAT_BLOCK_BYTES = 512;
const MOSTLY = 0.9;

export interface Reserve {
  /** Gives a part of it to the disk; each one until `takeBack` is twice as large. @returns false when none is left */
  release: () => boolean;
  /** Grows to its size again, as far as there is room, a few megabytes at a time. @returns whether it is whole */
  takeBack: () => boolean;
  /** Held at present. */
  readonly bytes: number;
  /** Whether the file system keeps room for it: one that compresses, or makes files sparse, does not. */
  readonly isReal: boolean;
  close: () => void;
}

/**
 * Opens it as it is; `takeBack` makes it whole.
 * @param path in the folder whose disk it is for
 * @throws the system's error
 */
export function openReserve(path: string, wholeBytes = wholeBytesOf(path)): Reserve {
  const file = openSync(path, "a+", FILE_MODE);
  const block = randomFillSync(Buffer.allocUnsafe(SLICE_BYTES));
  let slice = SLICE_BYTES;
  const size = () => fstatSync(file).size;

  /** @returns whether all of it was written */
  function grow(bytes: number): boolean {
    for (let left = bytes, part = block.length; left > 0;) {
      try {
        left -= writeSync(file, block, 0, Math.min(left, part));
      } catch (error) {
        if (!isFull(error)) throw error;
        if (part <= SMALLEST_BYTES) return false;
        part /= 2;
      }
    }
    return true;
  }

  return {
    release() {
      const held = size();
      if (held === 0) return false;
      ftruncateSync(file, Math.max(0, held - slice));
      slice *= 2;
      return true;
    },
    takeBack() {
      slice = SLICE_BYTES;
      const missing = wholeBytes - size();
      // A former release kept more of a small disk.
      if (missing < 0) ftruncateSync(file, wholeBytes);
      return grow(Math.min(missing, MOST_AT_ONCE_BYTES)) && missing <= MOST_AT_ONCE_BYTES;
    },
    get bytes() {
      return size();
    },
    get isReal() {
      const { size: bytes, blocks } = fstatSync(file);
      return blocks * STAT_BLOCK_BYTES >= bytes * MOSTLY;
    },
    close: () => closeSync(file),
  };
}

/** How large it is when it is whole. @param path in the folder whose disk it is for */
export function wholeBytesOf(path: string): number {
  const { blocks, bsize } = statfsSync(dirname(path));
  return reserveOf(blocks * bsize);
}

export const reserveOf = (totalBytes: number): number =>
  Math.min(RESERVE_BYTES, Math.floor(lowMarkOf(totalBytes) * SHARE_OF_LOW));

const isFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
