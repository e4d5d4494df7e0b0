import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { writeDurably } from "#platform/files/durable.ts";
import { STAMPS_FILE } from "#server/pages/find-build.ts";

/** Folder of a step → the hash of all inputs of its content. */
export type Stamps = { [folder: string]: string };

/** The user who serves the build may differ from the user who made it. */
const READABLE_FOR_ALL = 0o666;

export function stampFile(build: string): string {
  return join(build, STAMPS_FILE);
}

export async function readStamps(file: string): Promise<Stamps> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Stamps;
  } catch {
    // Absent or broken: everything is stale.
    return {};
  }
}

export function writeStamps(file: string, stamps: Stamps): Promise<void> {
  return writeDurably(file, JSON.stringify(stamps, null, 2), READABLE_FOR_ALL);
}

/** From here on the folder counts as stale, so that a half-finished change does not look complete. */
export async function forgetStamp(folder: string): Promise<void> {
  const file = stampFile(dirname(folder));
  const { [basename(folder)]: forgotten, ...others } = await readStamps(file);
  if (forgotten !== undefined) await writeStamps(file, others);
}
