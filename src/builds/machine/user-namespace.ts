/**
 * Builders of a server without root are in a namespace of users, in which they are root, and files of other users belong to
 * ids of the range that the machine gives this server's user (`/etc/subuid`).
 */
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const ENTER = ["unshare", "--user", "--map-root-user", "--map-auto"];

export const isRoot = (): boolean => process.getuid?.() === 0;

/** Before a command: a new namespace of users, where one is needed. */
export const asRoot = (): readonly string[] => (isRoot() ? [] : ENTER);

/** Also what steps have written as other users, which nobody else may remove. */
export async function removeFolder(folder: string): Promise<void> {
  const [program, ...args] = asRoot();
  if (program === undefined) return rm(folder, { recursive: true, force: true });
  await run(program, [...args, "rm", "-rf", "--", folder]);
}
