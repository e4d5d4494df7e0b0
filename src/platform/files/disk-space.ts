/** How much room a disk has, and from where on writes that can wait must wait. */
import { statfs } from "node:fs/promises";
import type { Log } from "../log/log.ts";
import { startPeriodicJob } from "../jobs/job.ts";

/** `low`: no more large writes. `full`: even small writes may fail. */
export type DiskLevel = "roomy" | "low" | "full";

export interface DiskSpace {
  /** Available to this user. */
  freeBytes: number;
  totalBytes: number;
}

/** Less free space than this is low: bytes, or a share of a small disk. `disk.low` of content/facts/limits.yaml. */
export const LOW_BYTES = 1_000_000_000;
export const LOW_SHARE = 0.04;
/** Less than this is full. */
export const FULL_BYTES = 16_000_000;
export const FULL_SHARE = 0.002;
/** A disk is roomy again at this multiple of the mark, so that the level does not flap. */
const RISE = 1.25;
const LOOK_EVERY_MS = 1_000;

/** Reported to a client whose bytes could not be stored, or soon could not be. */
export class DiskFullError extends Error {}

/** @throws the system's error */
export async function readDiskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

export const lowMarkOf = (totalBytes: number): number => Math.min(LOW_BYTES, totalBytes * LOW_SHARE);
export const fullMarkOf = (totalBytes: number): number => Math.min(FULL_BYTES, totalBytes * FULL_SHARE);

/** @param former the previous level */
export function levelOf({ freeBytes, totalBytes }: DiskSpace, former: DiskLevel = "roomy"): DiskLevel {
  const isBelow = (mark: number, isFormer: boolean) => freeBytes < mark * (isFormer ? RISE : 1);
  if (isBelow(fullMarkOf(totalBytes), former === "full")) return "full";
  return isBelow(lowMarkOf(totalBytes), former !== "roomy") ? "low" : "roomy";
}

/** A disk that is checked each second. */
export interface DiskWatch {
  readonly level: DiskLevel;
  readonly space: DiskSpace;
  /** A sentence for callers that may know the server's size; null while there is room. */
  describe: () => string | null;
  /**
   * Call before large writes that can wait: cache entries, images.
   * @throws DiskFullError unless there is room
   */
  requireRoom: () => void;
  look: () => Promise<void>;
  stop: () => Promise<void>;
}

export interface DiskWatchOptions {
  folder: string;
  /** Name of the folder: "the data folder (DATA_DIR)". */
  what: string;
  log: Log;
  /** Called after each check. */
  onLooked?: () => void;
  read?: typeof readDiskSpace;
}

/** @throws the system's error */
export async function watchDisk(options: DiskWatchOptions): Promise<DiskWatch> {
  const { folder, what, log, onLooked = () => {}, read = readDiskSpace } = options;
  let space = await read(folder);
  let level: DiskLevel = "roomy";

  async function look(): Promise<void> {
    space = await read(folder);
    const former = level;
    level = levelOf(space, former);
    if (level !== former) tell(former);
    onLooked();
  }

  function tell(former: DiskLevel): void {
    if (level === "roomy") log.info(`The disk of ${what} has room again: ${inWords(space)}.`);
    else log[former === "full" ? "info" : "error"](describeLevel(level, space, what));
  }

  level = levelOf(space);
  if (level !== "roomy") tell("roomy");
  const job = startPeriodicJob({
    name: "disk.watch",
    everyMs: LOOK_EVERY_MS,
    run: look,
    onError: (error) => log.warn(`Could not read the free space on the disk of ${what}.`, { error }),
  });
  return {
    get level() {
      return level;
    },
    get space() {
      return space;
    },
    describe: () => (level === "roomy" ? null : describeLevel(level, space, what)),
    requireRoom() {
      if (level === "roomy") return;
      throw new DiskFullError(
        `the disk of this server is ${level === "full" ? "full" : "almost full"} (${inWords(space)}), so it stores nothing new: its operator must free space`,
      );
    },
    look,
    stop: job.stop,
  };
}

const STOPPED =
  "Uploads to caches and the registry are refused; reading, revoking, signing in and out, and deleting still work.";

function describeLevel(level: "low" | "full", space: DiskSpace, what: string): string {
  const state = level === "full" ? "is full" : "is almost full";
  return `The disk of ${what} ${state}: ${inWords(space)}. ${STOPPED} Free some space, or make the disk larger.`;
}

/** "312 MB of 50 GB are free" */
export const inWords = ({ freeBytes, totalBytes }: DiskSpace): string =>
  `${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} are free`;

function formatBytes(bytes: number): string {
  const [size, unit] = bytes >= 1e9 ? [bytes / 1e9, "GB"] : [bytes / 1e6, "MB"];
  return `${size < 10 ? Math.floor(size * 10) / 10 : Math.floor(size)} ${unit}`;
}
