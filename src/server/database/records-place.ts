/**
 * A note in `DATA_DIR` that the last start had its records in PostgreSQL. A `millrace.db` stays after the step there, and a command
 * without MILLRACE_DATABASE_URL would take that old file for the records.
 */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "#platform/files/durable.ts";
import type { Environment } from "../environment.ts";
import { describeDatabase } from "./open-records.ts";

const RECORDS_PLACE_FILE = "records-place";

type Place = Pick<Environment, "DATA_DIR" | "MILLRACE_DATABASE_URL">;

/** For a start that has opened the records. The server starts even if the disk is full. */
export async function noteRecordsPlace(env: Place, warn: (text: string) => void): Promise<void> {
  const file = join(env.DATA_DIR, RECORDS_PLACE_FILE);
  try {
    if (env.MILLRACE_DATABASE_URL === undefined) return await rm(file, { force: true });
    const place = describeDatabase(env);
    if ((await readRecordsPlace(env.DATA_DIR)) !== place) await writeDurably(file, `${place}\n`);
  } catch (error) {
    warn(
      `${file} could not be brought up to date (${error instanceof Error ? error.message : String(error)}).`,
    );
  }
}

/** @returns "PostgreSQL at db.internal:5432/millrace", without user and password; null: the records are in `millrace.db` */
export async function readRecordsPlace(dataDir: string): Promise<string | null> {
  const text = await readFile(join(dataDir, RECORDS_PLACE_FILE), "utf8").catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    },
  );
  return text.trim() || null;
}
