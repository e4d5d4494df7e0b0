/**
 * A file that reserves disk space for writes that must succeed when there is no other space: a leaked token can be revoked even on
 * a full disk.
 *
 *   full disk, urgent write ─► release: 1 MiB, then 2, 4, … until it succeeds ─► take back the rest
 *
 * Its bytes are random, because some file systems store neither zeros nor compressible data. Copy-on-write file systems (Btrfs,
 * ZFS) may free the space only seconds later.
 */
import { randomFillSync } from "node:crypto";
import { closeSync, fstatSync, ftruncateSync, openSync, statfsSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { lowMarkOf } from "./disk-space.ts";
import { FILE_MODE } from "./durable.ts";

/** `disk.reserve` of content/facts/limits.yaml. */
const RESERVE_BYTES = 64_000_000;
/** Largest share of the low mark: a reserve that grows once uploads have stopped leaves the rest to the records. */
const SHARE_OF_LOW = 0.8;
const SLICE_BYTES = 1024 ** 2;
/** Most bytes written in one turn of the event loop: a few milliseconds. */
const MOST_AT_ONCE_BYTES = 4 * SLICE_BYTES;
/** The smallest write, when no slice fits. */
const SMALLEST_BYTES = 4096;
/** https://man7.org/linux/man-pages/man3/stat.3type.html */
const STAT_BLOCK_BYTES = 512;
const MOSTLY = 0.9;

export interface Reserve {
  /** Frees a part of it; each part until `takeBack` is twice as large. @returns false when none is left */
  release: () => boolean;
  /** Grows back to its full size, as far as there is room, a few megabytes at a time. @returns whether it has its full size */
  takeBack: () => boolean;
  /** Bytes currently reserved. */
  readonly bytes: number;
  /** Whether the file system really allocates it: one that compresses, or makes files sparse, does not. */
  readonly isReal: boolean;
  close: () => void;
}

/**
 * Opens it at its current size; `takeBack` restores its full size.
 * @param path in a folder of the disk
 * @throws the system's error
 */
export function openReserve(path: string, wholeBytes = wholeBytesOf(path)): Reserve {
  const file = openSync(path, "a+", FILE_MODE);
  const block = randomFillSync(Buffer.allocUnsafe(SLICE_BYTES));
  let slice = SLICE_BYTES;
  const size = () => fstatSync(file).size;

  /** @returns whether all bytes were written */
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
      // An earlier release reserved more of a small disk.
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

/** The full size. @param path in a folder of the disk */
export function wholeBytesOf(path: string): number {
  const { blocks, bsize } = statfsSync(dirname(path));
  return reserveOf(blocks * bsize);
}

export const reserveOf = (totalBytes: number): number =>
  Math.min(RESERVE_BYTES, Math.floor(lowMarkOf(totalBytes) * SHARE_OF_LOW));

const isFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
