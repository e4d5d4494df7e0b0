/** The disk of `DATA_DIR`: its free space, and the reserve for writes that must succeed (decision 053). */
import { join } from "node:path";
import { type DiskWatch, watchDisk } from "#platform/files/disk-space.ts";
import { openReserve, type Reserve } from "#platform/files/reserve.ts";
import type { Log } from "#platform/log/log.ts";
import type { Environment } from "./environment.ts";
import { createRoom, type Room } from "#platform/house/room.ts";
import { UserError } from "#platform/environment/user-error.ts";

const RESERVE_FILE = "reserve";
/** Parts of the reserve that a start on a full disk gets, each twice as large as the previous one: for SQLite's journals. */
const PARTS_FOR_START = 3;

type DiskEnvironment = Pick<Environment, "DATA_DIR" | "MILLRACE_DATABASE_URL" | "MILLRACE_BLOB_URL">;

export interface DataDisk {
  watch: DiskWatch;
  /** Null: the records are in PostgreSQL. */
  reserve: Reserve | null;
  /** Whether cache entries and images would be stored on it. */
  isForBlobs: boolean;
  room: Room;
  /** From here on the reserve grows to its full size. */
  endStart: () => void;
  close: () => Promise<void>;
}

/** For the process that owns `DATA_DIR`. @throws UserError when the folder cannot be used */
export async function openDataDisk(env: DiskEnvironment, log: Log): Promise<DataDisk> {
  const reserve = openRecordReserve(env);
  let [isStarting, isTold] = [true, false];
  const watch = await watchDisk({
    folder: env.DATA_DIR,
    what: "DATA_DIR",
    log,
    onLooked() {
      if (isStarting || !reserve?.takeBack() || isTold) return;
      isTold = true;
      if (!reserve.isReal)
        log.warn(
          `The file system of DATA_DIR does not reserve space for ${RESERVE_FILE}: on a full disk, you may not be able to revoke tokens.`,
        );
    },
  });
  if (watch.level === "full") for (let part = 0; part < PARTS_FOR_START; part += 1) reserve?.release();
  return {
    watch,
    reserve,
    isForBlobs: env.MILLRACE_BLOB_URL === undefined || env.MILLRACE_DATABASE_URL === undefined,
    room: describeDisk(watch, reserve),
    endStart() {
      isStarting = false;
    },
    async close() {
      await watch.stop();
      reserve?.close();
    },
  };
}

/** For commands next to a running server. Null: the records are in PostgreSQL. @throws UserError */
export function openRecordReserve({ DATA_DIR, MILLRACE_DATABASE_URL: url }: DiskEnvironment): Reserve | null {
  if (url !== undefined) return null;
  try {
    return openReserve(join(DATA_DIR, RESERVE_FILE));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError(
      `DATA_DIR ${DATA_DIR} cannot be used (${reason}): set it to a folder on a disk with free space that this user can write.`,
    );
  }
}

function describeDisk(watch: DiskWatch, reserve: Reserve | null): Room {
  return createRoom("disk", {
    // Existing data is still served, and rights are still revoked: no other server could do that for its records.
    isReady: () => true,
    lack() {
      const reason = watch.describe();
      return reason === null ? null : { status: `disk ${watch.level}`, reason };
    },
    registerMetrics(metrics) {
      metrics.gauge(
        "data_disk_free_bytes",
        "Bytes on the disk of DATA_DIR that are free for the server's user.",
        () => watch.space.freeBytes,
      );
      metrics.gauge(
        "data_disk_bytes",
        "Size of the disk of DATA_DIR, in bytes.",
        () => watch.space.totalBytes,
      );
      metrics.gauge(
        "data_disk_full",
        "0: the disk of DATA_DIR has room; 1: almost full, uploads are refused; 2: full.",
        () => ["roomy", "low", "full"].indexOf(watch.level),
      );
      metrics.gauge(
        "data_disk_reserve_bytes",
        "Bytes reserved for revoking, signing out and deleting on a full disk.",
        () => reserve?.bytes ?? 0,
      );
    },
  });
}
