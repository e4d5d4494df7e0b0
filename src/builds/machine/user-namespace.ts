/**
 * Builders of a server without root run in a user namespace. There they are root, and files of other users belong to ids of the
 * range that the machine gives this server's user (`/etc/subuid`).
 */
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const ENTER = ["unshare", "--user", "--map-root-user", "--map-auto"];

export const isRoot = (): boolean => process.getuid?.() === 0;

/** Prefix of a command: enters a new user namespace if one is needed. */
export const asRoot = (): readonly string[] => (isRoot() ? [] : ENTER);

/** Also removes files that steps wrote as other users, which no other user may remove. */
export async function removeFolder(folder: string): Promise<void> {
  const [program, ...args] = asRoot();
  if (program === undefined) return rm(folder, { recursive: true, force: true });
  await run(program, [...args, "rm", "-rf", "--", folder]);
}
